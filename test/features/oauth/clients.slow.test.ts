import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Client as PresentClient, StreamableHTTPClientTransport as PresentTransport } from '@modelcontextprotocol/client'
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { listen } from '../../../src/process/listen.ts'
import { freePort } from '../../freePort.ts'
import { startTestService, type TestService, type User } from '../../service.ts'
import { browserPath, openBrowser } from '../../web/browser.ts'
import { createProgram } from './program.ts'

let market: TestService
let ada: User
beforeAll(async () => {
  market = await startTestService({ env: { LOCAL_WORLD: 'false' } })
  ada = await market.user('ada')
})
afterAll(() => market?.stop())

const goingOn = z.object({ redirect_to: z.string() })
/** What the person does on the page that a program opened. */
const allow = async (page: string): Promise<URL> => {
  const asked = Object.fromEntries(new URL(page).searchParams)
  const answer = await createProgram(market.url).answer(ada.token, asked)
  return new URL(goingOn.parse(await answer.json()).redirect_to)
}

const redirectUrl = 'http://127.0.0.1:7777/callback'
type Kept = { access_token: string; token_type: string; refresh_token?: string | undefined }
/** The memory of a program, in the shape of both kits. */
const createMemory = () => {
  const kept: { client?: { client_id: string }; tokens?: Kept; verifier: string; page: string } = { verifier: '', page: '' }
  return {
    redirectUrl,
    clientMetadata: { client_name: 'Stock client', redirect_uris: [redirectUrl] },
    clientInformation: () => kept.client,
    saveClientInformation: (it: { client_id: string }) => {
      kept.client = it
    },
    tokens: () => kept.tokens,
    saveTokens: (it: Kept) => {
      kept.tokens = it
    },
    redirectToAuthorization: (url: URL) => {
      kept.page = url.href
    },
    saveCodeVerifier: (it: string) => {
      kept.verifier = it
    },
    codeVerifier: () => kept.verifier,
    page: () => kept.page,
  }
}

const wallet = z.object({ structuredContent: z.object({ ethereum: z.string() }) })

test('the stock client of 2025 gets from a 401 to its user’s wallet with one answer of the person, and asks for no scope over money', async () => {
  const memory = createMemory()
  const open = () => new FormerTransport(new URL(`${market.url}/mcp`), { authProvider: memory })
  const client = new FormerClient({ name: 'former', version: '1' })
  const first = open()
  await client.connect(first)
  await expect(client.callTool({ name: 'get_wallet', arguments: {} })).rejects.toThrow()
  expect(new URL(memory.page()).searchParams.get('scope')).toMatch(/^look hire(?! sell| money)/)
  const back = await allow(memory.page())
  await first.finishAuth(back.searchParams.get('code') ?? '')
  await client.close()
  await client.connect(open())
  const { structuredContent } = wallet.parse(await client.callTool({ name: 'get_wallet', arguments: {} }))
  expect(structuredContent.ethereum).toBe(ada.proxy)
  await client.close()
})

test('the stock client of 2026 gets from a 401 to its user’s wallet with one answer of the person, and asks for no scope over money', async () => {
  const memory = createMemory()
  const open = () => new PresentTransport(new URL(`${market.url}/mcp`), { authProvider: memory })
  const pinned = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const
  const client = new PresentClient({ name: 'present', version: '1' }, pinned)
  const first = open()
  await client.connect(first)
  await expect(client.callTool({ name: 'get_wallet', arguments: {} })).rejects.toThrow()
  expect(new URL(memory.page()).searchParams.get('scope')).toMatch(/^look hire(?! sell| money)/)
  const back = await allow(memory.page())
  await first.finishAuth(back.searchParams)
  await client.close()
  const again = new PresentClient({ name: 'present', version: '1' }, pinned)
  await again.connect(open())
  const { structuredContent } = wallet.parse(await again.callTool({ name: 'get_wallet', arguments: {} }))
  expect(structuredContent.ethereum).toBe(ada.proxy)
  await again.close()
})

test('the official conformance suite for authorization servers passes: metadata, and the code grant', async () => {
  const port = await freePort()
  const clientId = await createProgram(market.url).clientId({ redirect_uris: [`http://127.0.0.1:${port}/callback`] })
  const suite = join(import.meta.dirname, '../../../node_modules/.bin/conformance')
  const args = ['--url', market.url, '--client-id', clientId, '--resource', `${market.url}/mcp`, '--port', String(port)]
  const child = spawn(suite, ['authorization', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill())
  let printed = ''
  let isAnswered = false
  child.stdout.on('data', part => {
    printed += part
    const [page] = /http\S+\/app\/connect\S+/.exec(printed) ?? []
    if (!page || isAnswered || !printed.includes('Callback server started')) return
    isAnswered = true
    void allow(page).then(back => fetch(back))
  })
  const failed = text(child.stderr)
  const [code] = await once(child, 'close')
  expect(code, `${printed}\n${await failed}`).toBe(0)
  expect(printed).toContain('authorization-code-grant: 1 passed, 0 failed')
}, 60_000)

test('a program is known by the address of its metadata document, and a document that names another one is refused', async () => {
  const local = await startTestService({ env: { LOG_LEVEL: 'silent' } })
  onTestFinished(() => local.stop())
  const server = createServer((request, response) => {
    const own = `http://${request.headers.host}${request.url}`
    const client_id = request.url === '/liar.json' ? 'https://other.example/client.json' : own
    response.end(JSON.stringify({ client_id, client_name: 'Documented', redirect_uris: ['https://client.example/callback'] }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = z.object({ port: z.number() }).parse(server.address())
  const program = createProgram(local.url)
  const asked = (path: string) => program.asked(program.request(`http://127.0.0.1:${port}${path}`, 'x'.repeat(43)))
  expect(await (await asked('/client.json')).json()).toMatchObject({ client_name: 'Documented', redirect_host: 'client.example' })
  expect((await asked('/liar.json')).status).toBe(422)
})

const leftOut = browserPath ? '' : ' (left out: there is no Chromium on this machine)'
describe.runIf(browserPath)(`in a browser${leftOut}`, () => {
  test('a person lets a program in with two clicks in the local world, and ends it under Account', async () => {
    const local = await startTestService()
    const browser = await openBrowser()
    let arrived = ''
    const program = await listen({
      fetch: request => {
        if (request.url.includes('code=')) arrived = request.url
        return new Response('You can close this page.')
      },
      host: '127.0.0.1',
      port: 0,
    })
    onTestFinished(async () => void (await Promise.all([browser.close(), local.stop(), program.close()])))
    const redirect = `${program.url}/callback`
    const client = createProgram(local.url)
    const clientId = await client.clientId({ client_name: 'Paris <b>planner</b>', redirect_uris: [redirect] })
    const request = client.request(clientId, 'x'.repeat(43), { redirect_uri: redirect })
    const page = await browser.newPage()
    await page.goto(`${local.url}/app/connect?${new URLSearchParams(request)}`)
    const main = page.locator('#main')
    await main.getByText(new URL(redirect).host).waitFor()
    await page.getByRole('button', { name: /demo wallet/ }).click()
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    expect(await main.innerText()).toMatch(/Paris <b>planner<\/b>[\s\S]*Each hire still needs your own yes/)
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByText('You can close this page.').waitFor()
    expect(new URL(arrived).searchParams.get('iss')).toBe(local.url)
    await page.goto(`${local.url}/app/me`)
    const card = page.getByRole('region', { name: 'Connected programs' })
    await card.getByText('Paris <b>planner</b>').waitFor()
    await card.getByRole('button', { name: 'End' }).click()
    await card.getByText(/^None\./).waitFor()
  })
})
