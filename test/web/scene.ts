import type { Browser, BrowserContext, Page } from 'playwright-core'
import { z } from 'zod'
import { start } from '../cli/program.ts'
import { lower, startSeller } from '../features/x402Buying/seller.ts'
import type { TestService } from '../service.ts'
import { visit } from './browser.ts'
import { viewFiles } from './fileViews.ts'
import { viewPlans } from './planViews.ts'

export type View = {
  name: string
  path: string
  ready: string | RegExp
  isStranger?: boolean
  /** Actions of the visitor on the page before the screenshot or check. */
  act?: (page: Page) => Promise<unknown>
}
export type Scene = { url: string; storageState: Awaited<ReturnType<BrowserContext['storageState']>>; views: View[] }

/** Sends a message to the butler. */
export const say = async (page: Page, words: string): Promise<void> => {
  await page.getByLabel('Tell your butler').fill(words)
  await page.getByRole('button', { name: 'Send' }).click()
}

export const signIn = async (page: Page): Promise<void> => {
  await page.goto('/')
  await page.getByRole('button', { name: /demo wallet/ }).click()
  await page.getByRole('heading', { name: 'What do you need done?' }).waitFor()
}

/** Opens a view, and does in it what its visitor does before it is looked at. */
export const openView = async (page: Page, { path, ready, act }: View): Promise<void> => {
  await page.goto(path)
  // On a phone the list of conversations has the same words, out of sight.
  await page.getByText(ready).filter({ visible: true }).first().waitFor()
  await act?.(page)
}

/** Starts a new conversation with this message; returns its path. */
const begin = async (page: Page, words: string, ready: string | RegExp): Promise<string> => {
  await page.goto('/')
  await say(page, words)
  await page.getByText(ready).first().waitFor()
  return new URL(page.url()).pathname
}

const others = [
  [
    'translator',
    'Translate a text',
    'Translates a text of up to 2,000 words between 40 languages, names and numbers unchanged.',
    '0.40',
    10,
  ],
  [
    'logo-smith',
    'Draw a logo',
    'Three drafts of a logo as SVG, made from a name and a sentence about what it stands for.',
    '12.5',
    1440,
  ],
  [
    'chain-watch',
    'Explain a transaction',
    'Says in plain words what a transaction on BSC or Base did, who was paid, and what it cost.',
    '0.02',
    2,
  ],
] as const

const trains = Array.from({ length: 14 }, (_, at) => ({
  departs: `${6 + at}:02`,
  arrives: `${9 + at}:37`,
  changes: at % 3,
  price_chf: 48 + ((at * 7) % 31),
}))
const temperatures = Array.from({ length: 24 }, (_, hour) => Math.round(60 + 45 * Math.sin((hour - 8) / 4)) / 10)
const minutesOfTheMeeting = Array.from(
  { length: 300 },
  (_, at) => `## Point ${at + 1}\n\nThe board discussed the **budget of line ${at + 1}** and moved it to the next meeting.\n`,
).join('\n')

/** Agents whose deliverables the page shows in different ways: a table, a chart, a long text. */
const works = [
  ['rail-desk', 'Find train connections', 'Lists the trains of a day between two stations, with changes and fares.', trains],
  [
    'weather-mast',
    'Hourly temperatures',
    'Gives the temperature of each hour of a day at a mast.',
    { mast: 'Jungfraujoch', temperatures },
  ],
  ['minute-taker', 'Minutes of the board', 'Writes up the minutes of the meetings of a board.', minutesOfTheMeeting],
] as const

/**
 * A market with data, a returning user, and every view of the page with what it shows when it has loaded. `live` may add past
 * hires for the user's own agent, and returns the resulting time.
 */
export const setScene = async (
  browser: Browser,
  market: TestService,
  live?: (agentId: string) => Promise<number>,
): Promise<Scene> => {
  for (const [handle, name, description, price, slaMinutes] of others)
    await market.agent({
      handle,
      name: handle,
      offerings: [{ id: 'one', name, description, price, slaMinutes }],
      handler: async () => 'done',
    })
  for (const [handle, name, description, deliverable] of works)
    await market.agent({
      handle,
      name: handle,
      offerings: [{ id: 'one', name, description, price: '0.03', slaMinutes: 5 }],
      handler: async () => deliverable,
    })
  await market.agent({
    handle: 'slow-hand',
    name: 'Slow Hand',
    offerings: [{ id: 'one', name: 'Carve a wooden spoon', description: 'Carves a spoon.', price: '0.30', slaMinutes: 60 }],
    handler: ({ signal }) => new Promise<string>(done => signal.addEventListener('abort', () => done('stopped'))),
  })
  const { page, context } = await visit(browser, market.url)
  if (live) await page.clock.install()
  await signIn(page)
  const agent = await publish(page)
  if (live) await page.clock.setSystemTime(await live(decodeURIComponent(agent.split('/').at(-1) ?? '')))
  const question = await begin(page, 'Tell me the local time in a city', 'Answer')
  const proposal = await begin(page, 'What time is it in London?', 'Approve')
  const done = await begin(page, 'What time is it in Tokyo?', 'Approve')
  await page.getByRole('button', { name: /Approve/ }).click()
  await page.getByText('We checked its form').waitFor()
  const run = (await page.getByRole('link', { name: 'Receipt' }).last().getAttribute('href')) ?? ''
  const shared = await share(page)
  const picture = await orderByForm(page, await idOf(market, 'demo-qr'), 'https://example.com/menu')
  const table = await order(page, 'Find train connections from Bern to Milan on Friday')
  const chart = await order(page, 'Hourly temperatures of today at the mast on Jungfraujoch')
  const long = await order(page, 'Minutes of the board for the meeting of 12 May')
  const choices = await begin(page, 'Do something with my text', 'Which one do you mean?')
  const failed = await order(page, 'What time is it in Atlantis?')
  const nothing = await begin(page, 'Walk my dog in the park every Sunday', 'Tell me when one does')
  const running = await begin(page, 'Hire agent slow-hand to carve a wooden spoon', 'No, thanks')
  await page.getByRole('button', { name: /^Approve/ }).click()
  await page.getByText('What happened').waitFor()
  const files = await viewFiles(page, market)
  const plans = await viewPlans(page, begin)
  const purchases = await buy(page, market)
  const { auth_url } = z
    .object({ auth_url: z.string() })
    .parse(await (await fetch(`${market.url}/v1/init`, { method: 'POST' })).json())
  const coined = await listWithToken(market)
  const views: View[] = [
    { name: 'door', path: '/', ready: 'Start with a demo wallet', isStranger: true },
    {
      ...{ name: 'chat', path: '/', ready: 'What do you need done?' },
      act: page => page.getByRole('region', { name: 'Suggestions' }).getByRole('listitem').first().waitFor(),
    },
    { name: 'question', path: question, ready: 'Never mind' },
    { name: 'proposal', path: proposal, ready: 'Approve' },
    { name: 'result', path: done, ready: 'We checked its form' },
    { name: 'picture', path: picture, ready: 'We checked its form' },
    { name: 'table', path: table, ready: 'We checked its form' },
    { name: 'chart', path: chart, ready: 'We checked its form' },
    { name: 'long', path: long, ready: 'We checked its form' },
    { name: 'choices', path: choices, ready: 'Which one do you mean?' },
    { name: 'failure', path: failed, ready: 'could not do it' },
    { name: 'run', path: run, ready: 'Technical details' },
    { name: 'nothing-fits', path: nothing, ready: 'Tell me when one does' },
    { name: 'running', path: running, ready: 'Tell me when it is done' },
    { name: 'share', path: done, ready: 'We checked its form', act: openShare },
    { name: 'shared', path: shared, ready: 'Ask this agent yourself', isStranger: true },
    { name: 'report', path: `/app/agents/${await idOf(market, 'city-clock')}`, ready: 'Technical details', act: openReport },
    { name: 'own-data', path: '/app/me', ready: 'Your data', act: openDeletion },
    ...files,
    ...plans,
    ...purchases,
    { name: 'market', path: '/app/market', ready: 'Draw a logo' },
    { name: 'agent', path: `/app/agents/${await idOf(market, 'city-clock')}`, ready: 'Technical details' },
    { name: 'token', path: `/app/agents/${coined}`, ready: 'A token is a speculation' },
    { name: 'certificate', path: `/app/agents/${coined}`, ready: 'Certified:' },
    { name: 'rankings', path: '/app/rankings', ready: 'City Clock', act: openScore },
    { name: 'me', path: '/app/me', ready: 'New limit' },
    { name: 'my-agents', path: '/app/me/agents', ready: 'Offer an agent' },
    { name: 'my-agent', path: agent, ready: /paid|No job yet/ },
    { name: 'editor', path: agent, ready: 'Earnings', act: page => page.getByRole('button', { name: 'Edit' }).click() },
    { name: 'empty', path: '/app/market', ready: 'Draw a logo', act: searchInVain },
    { name: 'offline', path: done, ready: 'We checked its form', act: goOffline },
    { name: 'chain-away', path: done, ready: 'We checked its form', act: loseChain },
    { name: 'nothing', path: '/app/nowhere', ready: 'Nothing is here' },
    { name: 'approval', path: auth_url.slice(market.url.length), ready: 'Approve access', isStranger: true },
  ]
  const storageState = await context.storageState()
  await context.close()
  return { url: market.url, storageState, views }
}

/** Makes a link to the result in view; returns its path. */
const share = async (page: Page): Promise<string> => {
  await openShare(page)
  await page.getByRole('button', { name: 'Make a link' }).click()
  return new URL(await page.getByLabel('Everybody with this link').inputValue()).pathname
}
const openShare = async (page: Page) => {
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('region', { name: 'Share this result' }).waitFor()
}
const openReport = async (page: Page) => {
  await page.getByRole('button', { name: 'Report' }).click()
  await page.getByRole('button', { name: 'Send the report' }).waitFor()
}
const openDeletion = async (page: Page) => {
  await page.getByRole('button', { name: 'Delete my data' }).click()
  await page.getByRole('button', { name: 'Delete it for good' }).waitFor()
}

/** Hires in a new conversation and waits for the end; returns its path. */
const order = async (page: Page, words: string): Promise<string> => {
  const path = await begin(page, words, 'No, thanks')
  await page.getByRole('button', { name: /^Approve/ }).click()
  await page.locator('.result').waitFor()
  return path
}

/** Proposes, buys and loses paid answers; returns the views of them. The seller is not needed afterwards. */
const buy = async (page: Page, market: TestService): Promise<View[]> => {
  const seller = await startSeller(market, lower(`0x${'5e'.repeat(20)}`))
  const purchase = await begin(page, `Pay ${seller.url}/weather, at most 0.05`, 'No, thanks')
  const days = ['Mon', 'Tue', 'Wed'].map((day, at) => ({ day, celsius: 14 + 3 * at, sky: at === 1 ? 'rain' : 'sun' }))
  const bought = await order(page, `Pay ${seller.url}/echo with ${JSON.stringify({ city: 'Bern', days })}`)
  const run = (await page.getByRole('link', { name: 'Receipt' }).last().getAttribute('href')) ?? ''
  // A standard seller refuses the used payment when it is sent again.
  seller.drop(2)
  const lost = await order(page, `Buy ${seller.url}/weather`)
  await seller.stop()
  return [
    { name: 'purchase', path: purchase, ready: 'Approve' },
    { name: 'bought', path: bought, ready: 'USDC paid' },
    { name: 'bought-run', path: run, ready: 'Technical details' },
    { name: 'bought-failure', path: lost, ready: 'did not deliver' },
  ]
}

/** Hires by the form on the page of an agent; returns the path of the conversation. */
const orderByForm = async (page: Page, agentId: string, text: string): Promise<string> => {
  await page.goto(`/app/agents/${agentId}`)
  await page.getByRole('form', { name: 'Order' }).getByRole('textbox').fill(text)
  await page.getByRole('button', { name: /^See the offer/ }).click()
  await page.getByRole('button', { name: /^Approve/ }).click()
  await page.locator('.result').waitFor()
  return new URL(page.url()).pathname
}

/** Registers an agent with a certificate and a traded token; returns its id. */
const listWithToken = async (market: TestService): Promise<string> => {
  const { client, token } = await market.user('bard')
  const running = await market.agent({
    handle: 'ballad-house',
    name: 'Ballad House',
    credential: { token },
    offerings: [
      {
        ...{ id: 'one', name: 'Write a ballad', price: '0.80', slaMinutes: 10, examples: ['A ballad of a river'] },
        description: 'Writes a ballad of eight stanzas about a place, a person or a deed.',
      },
    ],
    handler: async ({ text }) => `The ballad of ${text.slice(0, 200)}`,
  })
  const agentId = running.agentId() ?? ''
  const path = `/agents/${encodeURIComponent(agentId)}`
  const env = { SERVICE_ENDPOINT: market.url, SERVICE_PROXY_AUTH: token, XDG_CONFIG_HOME: market.dir, AGENT_ID: agentId }
  await start(['agent', 'certify', '--json'], { env }).ended
  await client.post(`${path}/token`, { name: 'Ballad', symbol: 'BALLAD' })
  const launched = z.object({ token: z.string() }).parse(await client.get(`${path}/token`))
  for (const [side, amount] of trades) {
    const { digest } = z
      .object({ digest: z.string() })
      .parse(await client.post(`/tokens/${launched.token}/quotes`, { side, amount }))
    await client.post(`/tokens/${launched.token}/trades`, { digest })
  }
  return agentId
}

const trades = [
  ['buy', '2'],
  ['buy', '1.5'],
  ['sell', '1000'],
  ['buy', '3'],
] as const

const goOffline = async (page: Page) => {
  await page.evaluate(`{
    window.fetch = () => Promise.reject(new TypeError('no line'))
    Object.defineProperty(navigator, 'onLine', { get: () => false })
    dispatchEvent(new Event('offline'))
  }`)
  await page.locator('.bar').waitFor()
}

/** Makes the health route report that the chain does not answer; the page asks it when its window gets the focus. */
const loseChain = async (page: Page) => {
  await page.evaluate(`{
    const ask = fetch
    window.fetch = (path, options) => (path === '/health' ? Promise.resolve(new Response('{}', { status: 503 })) : ask(path, options))
    document.dispatchEvent(new Event('visibilitychange'))
  }`)
  await page.locator('.bar').waitFor()
}

const openScore = async (page: Page) => {
  await page.locator('.ranks summary').first().click()
}

const searchInVain = async (page: Page) => {
  await page.getByLabel('Search offerings').fill('zzyzx')
  await page.getByText('No offering has these words.').waitFor()
}

const idOf = async ({ url }: TestService, handle: string): Promise<string> =>
  z.object({ agent_id: z.string() }).parse(await (await fetch(`${url}/agents/handle/${handle}`)).json()).agent_id

/** Registers an agent in the page and publishes an offering of it; returns its path. */
export const publish = async (page: Page, name = 'Haiku Hut'): Promise<string> => {
  await page.goto('/app/me/agents')
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('What it does').fill('Writes haiku about anything.')
  await page.getByRole('button', { name: 'Register' }).click()
  const first = page.getByRole('form', { name: 'New offering' })
  await first.getByLabel('Name', { exact: true }).fill('Write a haiku')
  await first.getByLabel('Description').fill('Five, seven and five syllables about your subject.')
  await page.getByRole('button', { name: 'Publish' }).click()
  await page.getByRole('button', { name: 'Edit' }).waitFor()
  return new URL(page.url()).pathname
}
