import { readdir, readFile } from 'node:fs/promises'
import { AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { plain, provider } from '../hire/market.ts'
import { startTestService, type TestService } from '../service.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
})
afterAll(() => market?.stop())

const read = async (path: string) => {
  const answer = await fetch(`${market.url}${path}`)
  expect([path, answer.status]).toEqual([path, 200])
  return answer.text()
}

test('each address that /llms.txt names is served', async () => {
  const urls = [...(await read('/llms.txt')).matchAll(/\]\((http[^)]+)\)/g)].map(([, url = '']) => url)
  expect(urls.length).toBeGreaterThan(7)
  for (const url of urls) {
    const { status } = await fetch(url, { headers: { accept: 'application/json' } })
    // The endpoint of MCP answers a GET with 405 or 406, which says that it is there.
    expect([url, status === 200 || (url.endsWith('/mcp') && [405, 406].includes(status))]).toEqual([url, true])
  }
})

test('every document is served as the Markdown that it is written in, and each link between documents leads to one', async () => {
  const folder = new URL('../../docs/', import.meta.url)
  const files = (await readdir(folder)).filter(it => it.endsWith('.md'))
  const index = await read('/llms.txt')
  for (const file of files) {
    const served = await read(`/docs/${file}`)
    expect([file, served === (await readFile(new URL(file, folder), 'utf8')), index.includes(`/docs/${file})`)]).toEqual([
      file,
      true,
      true,
    ])
    for (const [, to = ''] of served.matchAll(/\]\((\w[\w-]*\.md)(?:#[^)]*)?\)/g))
      expect([file, to, files.includes(to)]).toEqual([file, to, true])
  }
  expect(files.length).toBeGreaterThan(20)
})

test('each command that /SKILL.md names is one of the program', async () => {
  const pins = await readFile(new URL('../surface/pins.json', import.meta.url), 'utf8')
  const named = [...(await read('/SKILL.md')).matchAll(/`market ((?:agent wrap \w+|agent \w+|\w+))/g)].map(
    ([, name = '']) => name,
  )
  expect(named).toEqual(expect.arrayContaining(['agent wrap mcp', 'login', 'agent doctor']))
  for (const name of named) expect([name, pins.includes(`"market ${name}"`)]).toEqual([name, true])
})

// Rules of https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json for the members that are used.
const server = z.strictObject({
  $schema: z.url(),
  name: z
    .string()
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
    .min(3)
    .max(200),
  description: z.string().min(1).max(100),
  version: z.string().min(1).max(255),
  websiteUrl: z.url(),
  remotes: z.tuple([z.strictObject({ type: z.literal('streamable-http'), url: z.url() })]),
})

test('/server.json follows the schema of MCP registries and names the endpoint of this service', async () => {
  const entry = server.parse(JSON.parse(await read('/server.json')))
  expect(entry.remotes[0].url).toBe(`${market.url}/mcp`)
})

test.each([
  ["the butler's card", async () => '/.well-known/agent-card.json'],
  ['the card of an agent', async () => `/agents/${(await provider(market, plain('0.02'))).agentId}/.well-known/agent-card.json`],
])('the stock kit of A2A verifies %s with the published keys, and refuses a changed one', async (_name, pathOf) => {
  const card = JSON.parse(await read(await pathOf()))
  const { keys } = z
    .object({ keys: z.array(z.looseObject({ kid: z.string(), kty: z.string() })) })
    .parse(JSON.parse(await read('/.well-known/jwks.json')))
  const verify = verifyAgentCardSignature(async kid => {
    const key = keys.find(it => kid.endsWith(`#${it.kid}`))
    if (!key) throw new Error('an unknown key')
    return key
  })
  await verify(AgentCard.fromJSON(card))
  await expect(verify(AgentCard.fromJSON({ ...card, name: 'Somebody' }))).rejects.toThrow()
})
