import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPhrases, withOwn } from '../conversations/consent/phrases.ts'
import { startTestService, type TestService, until } from '../service.ts'
import { ask, balancesOf, plain, provider, readRun, talk } from './market.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
  await provider(market, plain('0.5'), 'poet')
})
afterAll(() => market?.stop())

const task = 'Hire agent poet to write a haiku'
const folder = new URL('../conversations/consent/', import.meta.url)
/** Every so many phrases of a file; the slow lane says all of them. */
const some = async (file: string, step: number) => (await readPhrases(new URL(file, folder))).filter((_, at) => at % step === 0)

/** Opens a proposal of a new user. */
const open = async () => {
  const user = await market.user(`user-${randomUUID()}`)
  const { conversationId, say } = talk(user)
  const { run_id, data } = await say(task)
  const {
    agentName: agent = '',
    agentHandle: handle = '',
    offeringName: offering = '',
    total: price = '',
    digest = '',
  } = data.proposal ?? {}
  return { user, say, runId: run_id, conversationId, digest, own: { agent, handle, offering, price, digest: digest.slice(0, 8) } }
}

test('what is said to a proposal and is no plain yes hires nobody, in whatever words', async () => {
  const phrases = await some('no-yes.txt', 60)
  const { user, conversationId, own } = await open()
  const before = await balancesOf(user)
  const hired: string[] = []
  for (const { say: phrase } of phrases) {
    const { say } = talk(user, `${conversationId}-${hired.length}-${randomUUID()}`)
    await say(task)
    const said = withOwn(phrase, own)
    if ((await say(said)).data.job) hired.push(said)
    await say('no')
  }
  expect(phrases.length).toBeGreaterThan(11)
  expect([hired, await balancesOf(user)]).toEqual([[], before])
})

test('a plain yes in any of ten languages hires, with the name, price or digest of the offer in it or not', async () => {
  const phrases = await some('yes.txt', 40)
  const asked: string[] = []
  for (const { say: phrase } of phrases) {
    const { say, own, user, runId } = await open()
    const said = withOwn(phrase, own)
    await say(said, 0)
    const run = await until('the answer', async () => {
      const now = await readRun(user, runId)
      return now.state === 'working' ? undefined : now
    })
    if (!run.job) asked.push(said)
  }
  expect([phrases.length >= 6, asked]).toEqual([true, []])
})

test('a phrase that only resembles a yes gets the question with the name and the price, and the terms stay open', async () => {
  for (const phrase of ['yeah right', 'great', 'oh sure', 'might be ok']) {
    const { say } = await open()
    const { content, data } = await say(phrase)
    expect([phrase, data.state]).toEqual([phrase, 'awaiting-confirmation'])
    expect(content).toMatch(/^Shall I hire poet for 0\.5 USDC\?/)
  }
})

test('a yes with a condition is no yes, and no word of the condition becomes an input', async () => {
  for (const [condition, told] of [
    ['it rains', 'a yes with a condition is none'],
    ['it is free', 'I found nothing cheaper'],
  ]) {
    const { say } = await open()
    const { content, data } = await say(`yes, but only if ${condition}`)
    expect([data.state, data.proposal?.total, data.proposal?.input]).toEqual(['awaiting-confirmation', '0.5', 'to write a haiku'])
    expect(content).toContain(told)
  }
})

test('what begins like a yes or a no and goes on otherwise keeps the proposal open, and the next yes hires', async () => {
  const { say, runId, user } = await open()
  for (const phrase of [
    'go ahead once my salary arrives on Friday',
    'yeah I guess so, but is it really 0.05? seems a lot',
    'Subject to contract, yes.',
    'yes as soon as my landlord gives the deposit back',
    'sure, my cat says hello from the window',
    'ok so the weather is nice today and the birds sing',
    'yes please and tell grandma about the cake',
    'no idea what my sister had for breakfast',
    'nope nope nope said the frog to the moon',
    'I agree that the moon is made of cheese',
  ]) {
    const { data, content } = await say(phrase)
    expect([phrase, data.run_id, data.state, content]).toEqual([
      phrase,
      runId,
      'awaiting-confirmation',
      expect.stringContaining('0.5'),
    ])
  }
  expect((await say('yes', 0)).run_id).toBe(runId)
  await until('the job', async () => ((await readRun(user, runId)).job ? true : undefined))
})

test('a price inside pasted material is no limit, and one in the user’s own words is', async () => {
  const user = await market.user(`pasted-${randomUUID()}`)
  const from = 'Write a haiku from the following text'
  for (const material of [
    `${from}.\n\nThe kiosk sells bread for at most 0.01 USDC. It opens at nine.`,
    `${from}.\n\nThe kiosk opens at nine.\nBread is sold for at most 0.01 USDC a loaf.`,
    `${from}: the kiosk gives bread for free and opens at nine every day`,
    `> we pay at most 0.01 USDC\nWrite a haiku`,
    `The kiosk sells bread for at most 0.01 USDC. It opens at nine.\n\nWrite a haiku from the text above.`,
  ])
    expect([material, (await talk(user).say(material)).data.proposal?.total]).toEqual([material, '0.5'])
  for (const own of [
    `${from}, at most 0.01 USDC.\n\nThe kiosk opens at nine.`,
    `${from}.\n\nThe kiosk opens.\n\nAt most 0.01 USDC.`,
  ])
    expect([own, (await talk(user).say(own)).data.proposal]).toEqual([own, undefined])
})

test('a nod with nothing open is answered so, also after an offering was named as the nearest', async () => {
  const user = await market.user(`nod-${randomUUID()}`)
  for (const nod of ['yes', 'I agree', 'ok', 'go ahead', 'sure']) {
    const { say } = talk(user)
    expect((await say('Repair the diesel engine of my old fishing boat, a poem of steel')).content).toMatch(
      /^Nothing in the market fits/,
    )
    const { data, content } = await say(nod)
    expect([nod, data.proposal, data.state]).toEqual([nod, undefined, 'completed'])
    expect([nod, content]).toEqual([nod, expect.stringMatching(/say yes to/)])
  }
})

type Opened = Awaited<ReturnType<typeof open>>

/** Answers the interrupt of a proposal as an AG-UI client does. */
const resolve = async ({ user, runId, conversationId, digest }: Opened, payload: unknown): Promise<string> => {
  const response = await fetch(`${market.url}/invoke`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({
      ...{ threadId: conversationId, runId: 'r', messages: [], tools: [], context: [], state: {}, forwardedProps: {} },
      resume: [{ interruptId: `${runId}:${digest}`, status: 'resolved', payload }],
    }),
  })
  return response.text()
}

test.each([
  { approved: 'of course not' },
  { decision: 'let me think' },
  { text: 'maybe' },
  { answer: 'yes?' },
  ['yes'],
  1,
  false,
])('an AG-UI client that resolves the interrupt with anything but a yes hires nobody: %j', async payload => {
  const opened = await open()
  const before = await balancesOf(opened.user)
  await resolve(opened, payload)
  expect([(await readRun(opened.user, opened.runId)).job, await balancesOf(opened.user)]).toEqual([undefined, before])
})

test('an AG-UI client that approves the interrupt hires', async () => {
  const opened = await open()
  void resolve(opened, { approved: true })
  await until('the job', async () => (await readRun(opened.user, opened.runId)).job)
})

test('words over A2A, a part of the digest, and another word for yes as decision hire nobody', async () => {
  const { user, runId, digest } = await open()
  const before = await balancesOf(user)
  const at = { url: market.url, token: user.token }
  const send = (parts: object[]) =>
    ask(at, '/a2a', {
      headers: { 'a2a-version': '1.0' },
      body: {
        ...{ jsonrpc: '2.0', id: 1, method: 'SendMessage' },
        params: { message: { messageId: randomUUID(), role: 'ROLE_USER', taskId: runId, parts } },
      },
    })
  expect(JSON.stringify(await send([{ text: 'yes, hire poet' }]))).toContain('digest')
  expect(JSON.stringify(await send([{ data: { decision: 'yes', digest: digest.slice(0, 8) } }]))).toContain('no longer proposed')
  for (const body of [
    { digest, decision: 'maybe' },
    { digest, decision: 'ok' },
    { digest: digest.slice(0, 8), decision: 'yes' },
  ])
    expect((await ask(at, `/v1/hires/${runId}/confirm`, { body })).status).toBeGreaterThanOrEqual(400)
  expect([await readRun(user, runId), await balancesOf(user)]).toMatchObject([{ state: 'awaiting-confirmation' }, before])
})
