import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { post, untilFindable } from '../http/wire.ts'
import { startTestService, type TestService, type User, until } from '../service.ts'
import { browserPath, openBrowser } from '../web/browser.ts'
import { task, toResult, toRun } from './clients.ts'
import { showApp } from './showApp.ts'

let market: TestService
let ada: User
beforeAll(async () => {
  market = await startTestService({ env: { LOG_LEVEL: 'silent' } })
  await market.cityClock()
  ada = await market.user('ada')
  await untilFindable(market.url, 'time in Tokyo', 'city-clock')
})
afterAll(() => market?.stop())

const twoTasks = 'Tell me the time in Tokyo, and then tell me the time in London'
const self = { name: 'app-host', version: '1' }
const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
const at = (token: string) =>
  [new URL(`${market.url}/mcp`), { requestInit: { headers: { authorization: `Bearer ${token}` } } }] as const

/** A host program that shows apps, of either protocol era; `shows: false` is one that does not. */
const openHost = async (token: string, { era = 2026, shows = true } = {}) => {
  const capabilities = shows ? { extensions } : {}
  const client =
    era === 2026
      ? new Client(self, { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities })
      : new FormerClient(self, { capabilities })
  if (client instanceof Client) await client.connect(new StreamableHTTPClientTransport(...at(token)))
  else await client.connect(new FormerTransport(...at(token)))
  const call = async (name: string, input: Record<string, unknown>) => {
    const params = { name, arguments: input }
    const answer = client instanceof Client ? await client.callTool(params) : await client.callTool(params)
    return { ...toResult(answer), meta: answer._meta ?? {} }
  }
  return {
    call,
    tools: async () => (await client.listTools()).tools,
    read: async (uri: string) => (await client.readResource({ uri })).contents,
    close: () => client.close(),
  }
}

const nonceOf = (meta: Record<string, unknown>) => z.string().parse(meta['agent-market/nonce'])
const propose = async (host: Awaited<ReturnType<typeof openHost>>, tool = 'propose_hire', wish = task) => {
  const result = await host.call(tool, { task: wish })
  return { result, run: toRun(result), nonce: nonceOf(result.meta) }
}
const hires = async () => (await market.service.world.deps.store.ledger({})).length

test.each([2025, 2026])(
  'a person says yes in the app of a client of %i, which draws the proposal and confirms once',
  async era => {
    const host = await openHost(ada.token, { era })
    const tools = await host.tools()
    for (const name of ['hire', 'propose_hire'])
      expect(tools.find(it => it.name === name)?._meta).toEqual({ ui: { resourceUri: 'ui://agent-market/slip.html' } })
    expect(tools.find(it => it.name === 'confirm_slip')?._meta).toMatchObject({ ui: { visibility: ['app'] } })
    const [page] = await host.read('ui://agent-market/slip.html')
    const html = z.object({ text: z.string(), mimeType: z.literal('text/html;profile=mcp-app') }).parse(page).text
    // The host loads nothing else for the app.
    expect(html).not.toMatch(/\b(?:src|href)=|url\(\s*["']?(?!data:)|import\(/)
    const { run, nonce } = await propose(host, 'hire')
    const answered = await host.call('confirm_slip', { nonce, decision: 'yes' })
    expect(toRun(answered).run_id).toBe(run.run_id)
    await until('the end', async () => toRun(await host.call('get_run', { run_id: run.run_id })).job?.state === 'settled')
    expect(await host.call('confirm_slip', { nonce, decision: 'yes' })).toMatchObject({ isError: true })
    const { nonce: other } = await propose(host)
    expect(toRun(await host.call('confirm_slip', { nonce: other, decision: 'no' })).job).toBeUndefined()
    await host.close()
  },
)

test('a client that shows no apps sees none of it', async () => {
  const host = await openHost(ada.token, { shows: false })
  const tools = await host.tools()
  expect(tools.some(it => it.name === 'confirm_slip' || it._meta !== undefined)).toBe(false)
  expect((await host.call('propose_hire', { task })).meta).not.toHaveProperty(['agent-market/nonce'])
  await host.close()
})

test('a large hire gets no nonce: the app shows the address of the page', async () => {
  const offering = {
    id: 'epic',
    name: 'Epic poem',
    description: 'Writes an epic poem',
    price: '21',
    requirement: {},
    deliverable: {},
  }
  await market.agent({ handle: 'big-poet', offerings: [offering], handler: async () => 'Sing.' })
  await untilFindable(market.url, 'epic poem', 'big-poet')
  const host = await openHost(ada.token)
  const { meta, structuredContent } = await host.call('propose_hire', { task: 'Write an epic poem' })
  expect(structuredContent).toMatchObject({ state: 'awaiting-confirmation', approve_url: expect.any(String) })
  expect(meta).not.toHaveProperty(['agent-market/nonce'])
  await host.close()
})

/** Every text that a model reads of an answer, and the words in it. */
const wordsOf = (read: unknown): string[] => [...new Set(JSON.stringify(read).match(/[\w.~=+/-]{8,}/g) ?? [])]

test.each([
  ['a hire', task],
  ['a plan', twoTasks],
])('a model tries to confirm %s in ten ways and more, and nothing is hired', async (_, wish) => {
  const host = await openHost(ada.token)
  const first = await propose(host, 'propose_hire', wish)
  expect(await host.call('confirm_slip', { nonce: first.nonce, decision: 'no' })).toMatchObject({ isError: false })
  const { run, result, nonce } = await propose(host, 'propose_hire', wish)
  const { run_id } = run
  const digest = (run.proposal ?? run.plan)?.digest ?? ''
  expect(digest).toMatch(/^[0-9a-f]{32}/)
  const before = await hires()
  const bob = await market.user('bob')
  const [stranger, plain] = [await openHost(bob.token), await openHost(ada.token, { shows: false })]
  const second = await openHost(ada.token, { era: 2025 })
  const seen = wordsOf([
    { content: result.content, structured: result.structuredContent },
    await host.read(`market://runs/${run_id}`),
    await host.read('ui://agent-market/slip.html').then(pages => pages.map(it => 'text' in it && it.text.slice(-2_000))),
    (await host.call('get_run', { run_id })).structuredContent,
  ])
  expect(seen).not.toContain(nonce)
  const slip = (given: unknown) => host.call('confirm_slip', { nonce: given, decision: 'yes' })
  const yes = { run_id, digest, decision: 'yes', wait_ms: 0 }
  const ways: Record<string, () => Promise<unknown>> = {
    'by the tool for the model': () => host.call('confirm_hire', yes),
    'without a nonce': () => slip(undefined),
    'with the digest as nonce': () => slip(digest),
    'with the run as nonce': () => slip(run_id),
    'with the nonce of an earlier proposal, used again': () => slip(first.nonce),
    'with a nonce that it changed': () => slip(`${nonce.slice(0, -2)}xx`),
    'with every word that it can read': () => Promise.all(seen.slice(0, 80).map(slip)),
    'by another client of the same user': () =>
      plain.call('confirm_slip', { nonce: digest, decision: 'yes' }).catch(() => undefined),
    'by a second client of the same user that shows apps': () =>
      Promise.all([digest, run_id, first.nonce].map(it => second.call('confirm_slip', { nonce: it, decision: 'yes' }))),
    'by a message that the app would send its host': () =>
      host.call('propose_hire', {
        task: JSON.stringify({
          jsonrpc: '2.0',
          method: 'tools/call',
          params: { name: 'confirm_slip', arguments: { decision: 'yes' } },
        }),
        conversation_id: `forged of ${run_id}`,
      }),
    'by the prompt of a purchase with this digest': () =>
      post(market.url, `/v1/purchases/${run_id}/confirm`, { digest, decision: 'yes', wait_ms: 0 }, ada.token),
    'as another user, with the nonce': () => stranger.call('confirm_slip', { nonce, decision: 'yes' }),
    'with its token at the API': () => post(market.url, `/v1/hires/${run_id}/confirm`, yes, ada.token),
    'by words': () => host.call('propose_hire', { task: 'yes', conversation_id: run.conversation_id }),
    'by words at the API': () =>
      post(market.url, '/invoke', { message: 'yes', conversation_id: run.conversation_id, digest, wait_ms: 0 }, ada.token),
    'with a yes that it forged in the arguments': () =>
      host.call('confirm_hire', { ...yes, inputResponses: { terms: { action: 'accept', content: { confirm_hire: true } } } }),
  }
  for (const [way, attempt] of Object.entries(ways)) {
    await attempt()
    expect([way, (await market.service.world.deps.store.run(run_id))?.state, await hires()]).toEqual([
      way,
      'awaiting-confirmation',
      before,
    ])
  }
  expect(await market.service.world.deps.store.plan(run_id).then(it => it?.agreedAt)).toBeUndefined()
  // What was spent by the stranger's attempt no longer confirms for anybody.
  expect(await slip(nonce)).toMatchObject({ isError: true })
  await Promise.all([host, stranger, plain, second].map(it => it.close()))
})

const leftOut = browserPath ? '' : ' (left out: there is no Chromium on this machine)'
describe.runIf(browserPath)(`in a browser${leftOut}`, () => {
  /** Shows the app as a client does, with the result that it draws. */
  const show = async (wish: string, theme: 'light' | 'dark') => {
    const host = await openHost(ada.token)
    const browser = await openBrowser()
    onTestFinished(async () => void (await Promise.all([browser.close(), host.close()])))
    const [resource] = await host.read('ui://agent-market/slip.html')
    const html = z.object({ text: z.string() }).parse(resource).text
    const toAnswer = ({ meta, ...answer }: Awaited<ReturnType<typeof host.call>>) => ({ ...answer, _meta: meta })
    const told = toAnswer(await host.call('propose_hire', { task: wish }))
    const callTool = async (name: string, input: Record<string, unknown>) => toAnswer(await host.call(name, input))
    return showApp(browser, { html, told, theme, callTool })
  }

  test.each(['light', 'dark'] as const)(
    'in the reference host, %s, the app draws the proposal, sends the nonce with a person’s click, and shows the result',
    async theme => {
      const { app, complaints } = await show(task, theme)
      await app.getByRole('region', { name: 'Proposal' }).getByText('City Clock').first().waitFor()
      expect(await app.locator('html').getAttribute('data-theme')).toBe(theme)
      await app.getByRole('button', { name: 'Approve 0.05 USDC' }).click()
      await app.getByRole('status').filter({ hasText: 'Tokyo' }).waitFor()
      expect(complaints).toEqual([])
    },
    60_000,
  )

  test('in the reference host a plan has one button for all of its steps, and then the bill', async () => {
    const { app, complaints } = await show(twoTasks, 'light')
    const plan = app.getByRole('region', { name: 'Proposal' })
    await plan.getByRole('heading', { name: 'A plan of 2 steps' }).waitFor()
    expect(await plan.getByRole('listitem').count()).toBe(2)
    await plan.getByRole('button', { name: 'Approve 2 steps · 0.10 USDC' }).click()
    await app.getByRole('status').filter({ hasText: '2 of 2 steps are done' }).waitFor()
    expect(complaints).toEqual([])
  }, 60_000)

  test('above the limit that the person set, the app opens the page and has no button that pays', async () => {
    const { store } = market.service.world.deps
    const user = await market.service.world.deps.identity.verify(ada.token)
    await store.setYesLimit(user, { usdc: '0.01', before: undefined })
    const { app, opened } = await show(task, 'light')
    await app.getByRole('button', { name: 'Open the market to approve' }).click()
    expect(await app.getByRole('button', { name: /^Approve/ }).count()).toBe(0)
    expect(opened).toEqual([expect.stringContaining('/app/yes/')])
  }, 60_000)
})
