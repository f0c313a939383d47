import { afterAll, beforeAll, expect, test } from 'vitest'
import type { JsonObject } from '../../src/domain/json.ts'
import type { RunningAgent } from '../../src/kit/kit.ts'
import { startTestService, type TestService, until } from '../service.ts'
import { ask, balancesOf, eventsOf, pathOf, paymentsOf, plain, provider, readRun, rested, talk, walletOf } from './market.ts'

let market: TestService
let clock: RunningAgent
beforeAll(async () => {
  market = await startTestService()
  clock = await market.cityClock()
})
afterAll(() => market?.stop())

const clockTask = 'What time is it in Tokyo?'

test('a sentence and a yes end with USDC in the agent wallet', async () => {
  const ada = await market.user('ada')
  const agent = await walletOf(ada, clock.agentId())
  const before = await balancesOf(ada, { agent })
  const { say } = talk(ada)
  const asked = await say(clockTask)
  expect(asked).toMatchObject({ success: true, data: { state: 'awaiting-confirmation', proposal: { total: '0.05' } } })
  const done = await say('yes')
  expect(done).toMatchObject({ run_id: asked.run_id, data: { state: 'completed', job: { state: 'settled', amount: '0.05' } } })
  expect(done.content).toContain('0.05 USDC are in the agent wallet')

  expect(before).toMatchObject({ user: 25, agent: 0, escrow: 0 })
  expect(await balancesOf(ada, { agent })).toEqual({ ...before, user: 24.95, agent: 0.05 })
})

test('the log of a hire has no gap, follows the table of moves and names every transaction', async () => {
  const user = await market.user('logan')
  const { say } = talk(user)
  await say(clockTask)
  const { run_id } = await say('yes')
  const log = await eventsOf(user, run_id)
  expect(log.map(it => it.seq)).toEqual(log.map((_it, index) => index + 1))
  expect(await pathOf(user, run_id)).toEqual(['open', 'escrowed', 'queued', 'leased', 'submitted', 'settling', 'settled'])
  const transactions = log.filter(it => it.type === 'transaction').map(it => it.data)
  expect(transactions.map(it => it.step)).toEqual(['hire', 'submit', 'complete'])
  expect(log.at(-1)).toMatchObject({ type: 'answer' })

  const [escrowed, paid] = await paymentsOf(user, run_id)
  expect(escrowed).toMatchObject({ type: 'escrow', amount: '0.05', payer: user.proxy, transaction: transactions[0]?.hash })
  const agentWallet = await walletOf(user, clock.agentId())
  expect(paid).toMatchObject({ type: 'payout', amount: '0.05', payee: agentWallet, transaction: transactions[2]?.hash })

  const { store, chains } = market.service.world.deps
  const job = await store.jobOfRun(run_id)
  const onChain = await chains.get(97)?.job(job?.chainJobId ?? 0n)
  expect(onChain).toMatchObject({ status: 'completed', client: user.proxy, provider: agentWallet, budget: 50_000n })
})

test('nothing is hired before the user says yes, and a no pays nothing', async () => {
  const user = await market.user('noah')
  const before = await balancesOf(user)
  const { say } = talk(user)
  const asked = await say(clockTask)
  expect(asked.data.job).toBeUndefined()
  expect(await balancesOf(user)).toEqual(before)
  expect(await say('no, thanks')).toMatchObject({ run_id: asked.run_id, data: { state: 'completed' } })
  expect((await say('yes')).data.job).toBeUndefined()
  expect(await pathOf(user, asked.run_id)).toEqual([])
  expect(await paymentsOf(user, asked.run_id)).toEqual([])
  expect(await balancesOf(user)).toEqual(before)
})

test('a task without a matching offering is answered so, with the nearest offering named, and costs nothing', async () => {
  const user = await market.user('mars')
  const before = await balancesOf(user)
  const far = await talk(user).say('Old diesel engines for fishing boats in Tokyo harbour')
  expect(far.data).toMatchObject({ state: 'completed' })
  expect(far.content).toMatch(
    /^Nothing in the market fits: .* The nearest is "Local time in a city" by city-clock for 0\.05 USDC\./,
  )
  const none = await talk(user).say('Xylograph quuxification')
  expect(none.content).toMatch(/^Nothing in the market fits: .* Nothing was hired and nothing was paid\.$/)
  expect(none.data.job ?? far.data.job).toBeUndefined()
  expect(await balancesOf(user)).toEqual(before)
})

test('of an object of which some members are known, only the others are asked for, and the known ones are kept', async () => {
  const user = await market.user('post')
  const member = (description: string) => ({ type: 'string', description })
  const recipient = {
    type: 'object',
    required: ['name', 'street', 'city', 'postcode'],
    properties: {
      name: member('Full name'),
      street: member('Street and number'),
      city: member('City'),
      postcode: member('Postcode'),
    },
  }
  const requirement = { type: 'object', required: ['recipient'], properties: { recipient } }
  const { handle } = await provider(market, { ...plain('0.2'), name: 'Post a blank letter', requirement })
  const { say } = talk(user)
  const asked = await say(`Hire agent ${handle} to post a blank letter to Ada Brown, 12 Mill Lane in Leeds`)
  expect(asked.content.split('\n').slice(1)).toEqual(['What else belongs to the recipient: postcode (Postcode)?'])
  const proposed = await say('LS1 4AB')
  const known = { name: 'Ada Brown', street: '12 Mill Lane', city: 'Leeds' }
  expect(JSON.parse(proposed.data.proposal?.input ?? '')).toEqual({ recipient: { ...known, postcode: 'LS1 4AB' } })
})

test('a question for a list of sellers is answered with a list, and nobody is proposed', async () => {
  const user = await market.user('lister')
  for (const question of ['list all agents that know the local time in a city', 'Which agents can tell the local time?']) {
    const { data } = await talk(user).say(question)
    expect(data).toMatchObject({ act: 'recommend', choices: [{ agent_handle: 'city-clock' }] })
    expect(data.proposal).toBeUndefined()
  }
})

test('missing inputs are asked for in the words of the schema, all at once, and given answers are kept', async () => {
  const user = await market.user('trip')
  const requirement = {
    type: 'object',
    required: ['origin', 'destination', 'travellers'],
    properties: {
      origin: { type: 'string', description: 'City of departure' },
      destination: { type: 'string', description: 'City of arrival' },
      travellers: { type: 'integer', description: 'How many people travel' },
    },
  }
  const { handle } = await provider(market, { ...plain('0.2'), name: 'Plan a train journey', requirement })
  const { say } = talk(user)
  const first = await say(`Hire agent ${handle} to plan a train journey`)
  expect(first.data.state).toBe('awaiting-input')
  expect(first.content.split('\n').slice(1)).toEqual([
    'What should the origin be? (City of departure)',
    'What should the destination be? (City of arrival)',
    'What should the travellers be? (How many people travel)',
  ])
  const asked = (await eventsOf(user, first.run_id)).findLast(it => it.type === 'asked')?.data
  expect(asked).toMatchObject({
    questions: [{ field: 'origin', form: { type: 'string' } }, { field: 'destination' }, { field: 'travellers' }],
  })
  // A user who returns later reads the same questions in the run as in the event.
  expect((await readRun(user, first.run_id)).questions).toEqual(asked?.questions)
  const second = await say('from Porto')
  expect(second.data.questions?.map(it => it.field)).toEqual(['destination', 'travellers'])
  expect(second.content.split('\n').slice(1)).toEqual([
    'What should the destination be? (City of arrival)',
    'What should the travellers be? (How many people travel)',
  ])
  const third = await say('to Lisbon')
  expect(third.content).toContain('What should the travellers be? (How many people travel)')
  const proposed = await say('3')
  expect(proposed).toMatchObject({ run_id: first.run_id, data: { state: 'awaiting-confirmation' } })
  expect((await readRun(user, first.run_id)).questions).toBeUndefined()
  const input = JSON.parse(proposed.data.proposal?.input ?? '')
  expect(input).toEqual({ origin: 'Porto', destination: 'Lisbon', travellers: 3 })
})

test('a question can be left unanswered: the task is dropped and costs nothing', async () => {
  const user = await market.user('leaver')
  const requirement = { type: 'object', required: ['topic'], properties: { topic: { type: 'string' } } }
  const { handle } = await provider(market, { ...plain('0.2'), requirement })
  const { say } = talk(user)
  expect((await say(`Hire agent ${handle} to write a haiku`)).data.state).toBe('awaiting-input')
  const left = await say('never mind')
  expect(left).toMatchObject({ success: true, data: { state: 'completed' } })
  expect(left.content).toMatch(/Nothing was hired and nothing was paid/)
  expect((await eventsOf(user, left.run_id)).map(it => it.type)).toContain('declined')
})

test('five concurrent yes messages hire once', async () => {
  const user = await market.user('eager')
  const before = await balancesOf(user)
  const { say } = talk(user)
  const { run_id } = await say(clockTask)
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => say('yes')))
  expect(new Set(answers.map(it => it.run_id))).toEqual(new Set([run_id]))
  expect(await balancesOf(user)).toMatchObject({ user: before.user - 0.05, escrow: 0, supply: before.supply })
  expect((await pathOf(user, run_id)).filter(it => it === 'open')).toHaveLength(1)
})

test('five concurrent confirmations hire once and all get an answer', async () => {
  const user = await market.user('sure')
  const before = await balancesOf(user)
  const { run_id, data } = await talk(user).say(clockTask)
  const digest = data.proposal?.digest ?? ''
  const confirm = (body: JsonObject) =>
    ask({ ...market, ...user }, `/v1/hires/${run_id}/confirm`, { body: { digest, decision: 'yes', ...body } })
  // The first three confirmations are concurrent; the last ones arrive during the hire.
  const [first] = await Promise.all([confirm({ wait_ms: 0 }), confirm({ wait_ms: 0 }), confirm({ wait_ms: 0 })])
  expect(first).toMatchObject({ status: 200 })
  const answers = [confirm({}), confirm({})]
  for (const answer of await Promise.all(answers))
    expect(answer).toMatchObject({ status: 200, body: { state: 'completed', job: { state: 'settled' } } })
  expect((await balancesOf(user)).user).toBe(before.user - 0.05)
  expect(await confirm({})).toMatchObject({ status: 200, body: { job: { state: 'settled' } } })
  expect(await confirm({ digest: 'ffffffff' })).toMatchObject({ status: 409, code: 'proposal-changed' })
  expect(await confirm({ decision: 'no' })).toMatchObject({ status: 409, code: 'nothing-proposed' })
})

test('a digest has 128 bits, of which a person sees eight characters and a program sends all', async () => {
  const user = await market.user('reader')
  const { say } = talk(user)
  const { run_id, content, data } = await say(clockTask)
  const digest = data.proposal?.digest ?? ''
  const shown = digest.slice(0, 8)
  expect(digest).toMatch(/^[0-9a-f]{32}$/)
  expect([content.includes(`Terms ${shown},`), content.includes(digest)]).toEqual([true, false])
  for (const part of [shown, digest.slice(0, 31), `${shown}${'0'.repeat(24)}`]) {
    const body = { digest: part, decision: 'yes' }
    expect(await ask({ ...market, ...user }, `/v1/hires/${run_id}/confirm`, { body })).toMatchObject({ code: 'proposal-changed' })
    const message = { message: 'yes', digest: part, context: { conversation_id: data.conversation_id } }
    expect(await ask({ ...market, ...user }, '/invoke', { body: message })).toMatchObject({ code: 'proposal-changed' })
  }
  const other = await say('yes 00000000')
  expect(other).toMatchObject({
    content: expect.stringContaining('names the terms 00000000'),
    data: { state: 'awaiting-confirmation' },
  })
  expect(await pathOf(user, run_id)).toEqual([])
  expect((await say(`yes ${shown}`)).data).toMatchObject({ state: 'completed', job: { state: 'settled' } })
})

test('an answer other than yes or no changes the terms, and the old terms can no longer be accepted', async () => {
  const user = await market.user('paris')
  const { say } = talk(user)
  const { run_id, data: tokyo } = await say(clockTask)
  const { data: paris } = await say('make it Paris instead')
  expect(paris).toMatchObject({ run_id, state: 'awaiting-confirmation', proposal: { input: '{"city":"Paris"}' } })
  expect(paris.proposal?.digest).not.toBe(tokyo.proposal?.digest)
  const confirm = (digest = '') =>
    ask({ ...market, ...user }, `/v1/hires/${run_id}/confirm`, { body: { digest, decision: 'yes' } })
  expect(await confirm(tokyo.proposal?.digest)).toMatchObject({ status: 409, code: 'proposal-changed' })
  expect(await pathOf(user, run_id)).toEqual([])
  const done = await confirm(paris.proposal?.digest)
  expect(done).toMatchObject({ status: 200, body: { state: 'completed', content: expect.stringContaining('city: Paris') } })
})

test('an unreadable change is answered as having no effect, and a change without capitals is read', async () => {
  const { say } = talk(await market.user('mumble'))
  const first = await say(clockTask)
  const same = await say('please change that')
  expect(same.content).toMatch(/^I could not read what to change, so these are the same terms\./)
  expect(same.data.proposal?.digest).toBe(first.data.proposal?.digest)
  expect((await say('make it london instead')).data.proposal?.input).toBe('{"city":"london"}')
})

test('a yes without a proposal is answered as having no effect', async () => {
  const { say } = talk(await market.user('eager'))
  expect(await say('yes')).toMatchObject({
    success: true,
    content: expect.stringMatching(/^There is nothing to say yes to yet\./),
  })
})

test('an offering that changed after its proposal is not hired on the old terms: the new price is proposed', async () => {
  const user = await market.user('haggle')
  const poet = await provider(market, plain('0.3'))
  const { say } = talk(user)
  const { run_id, data } = await say(`Hire agent ${poet.handle} to write a haiku`)
  expect(data.proposal).toMatchObject({ total: '0.3' })
  await poet.register(plain('0.4'))
  const again = await say('yes')
  expect(again.data).toMatchObject({ run_id, state: 'awaiting-confirmation', proposal: { total: '0.4' } })
  expect(again.data.job).toBeUndefined()
  expect(again.data.proposal?.digest).not.toBe(data.proposal?.digest)
  expect(again.content).toContain('The offering changed since I proposed it.')
  await say('yes', 0)
  await poet.deliver((await poet.take()).job_id, 'An old silent pond')
  await rested(user, run_id)
  expect((await paymentsOf(user, run_id)).map(it => it.amount)).toEqual(['0.4', '0.4'])
})

test('a user whose wallet has too little USDC is told so, and nothing is hired', async () => {
  const user = await market.user('broke')
  const { handle } = await provider(market, plain('25.000001'))
  const { say } = talk(user)
  await say(`Hire agent ${handle} to write a haiku`)
  const refused = await say('yes')
  expect(refused.content).toBe(
    'Your wallet holds 25 USDC and the hire costs 25.000001 USDC. Add USDC to it, or ask for something cheaper. Nothing was hired and nothing was paid.',
  )
  expect(refused.data).toMatchObject({ state: 'completed' })
  expect(await pathOf(user, refused.run_id)).toEqual([])
})

test('of two hires that the wallet can pay only one of, one is paid and the other costs nothing', async () => {
  const user = await market.user('twice')
  const poet = await provider(market, plain('20'))
  const talks = [talk(user), talk(user)]
  const runs = await Promise.all(talks.map(({ say }) => say(`Hire agent ${poet.handle} to write a haiku`)))
  await Promise.all(talks.map(({ say }) => say('yes', 0)))
  const { job_id } = await poet.take()
  await poet.deliver(job_id, 'An old silent pond')
  const ends = await Promise.all(runs.map(it => rested(user, it.run_id)))
  expect(ends.map(it => it.state)).toEqual(['completed', 'completed'])
  expect(ends.filter(it => it.job?.state === 'settled')).toHaveLength(1)
  expect(ends.find(it => it.job?.state !== 'settled')?.content).toMatch(/[Nn]othing was paid\.$/)
  expect(await balancesOf(user, { poet: poet.wallet })).toMatchObject({ user: 5, poet: 20, escrow: 0 })
})

test('a free offering is hired and delivered without escrow and without payment', async () => {
  const user = await market.user('frugal')
  const before = await balancesOf(user)
  await market.agent({ handle: 'free-poet', offerings: [plain('0')], handler: () => 'An old silent pond' })
  const { say } = talk(user)
  await say('Hire agent free-poet to write a haiku')
  const done = await say('yes')
  expect(done.data).toMatchObject({ state: 'completed', job: { state: 'settled', deliverable: 'An old silent pond' } })
  expect(done.content).toContain('It cost nothing.')
  expect(await paymentsOf(user, done.run_id)).toEqual([])
  expect((await eventsOf(user, done.run_id)).filter(it => it.type === 'transaction')).toEqual([])
  expect(await balancesOf(user)).toEqual(before)
})

test('the same idempotency key gives the same run, and refuses another request', async () => {
  const user = { ...market, ...(await market.user('idem')) }
  const send = (message: string) => ask(user, '/invoke', { body: { message }, headers: { 'idempotency-key': 'once' } })
  const [first, second] = await Promise.all([send(clockTask), send(clockTask)])
  expect(first).toMatchObject({ status: 200, body: { data: { state: 'awaiting-confirmation' } } })
  expect(second.body).toEqual(first.body)
  expect(await send('What time is it in Paris?')).toMatchObject({ status: 409, code: 'idempotency-conflict' })
})

test('a second task during a running job gets a run of its own, and neither is lost', async () => {
  const user = await market.user('busy')
  const poet = await provider(market, plain('0.1'))
  const { say } = talk(user)
  const haiku = await say(`Hire agent ${poet.handle} to write a haiku`)
  await say('yes', 0)
  const { job_id } = await poet.take()
  const time = await say(clockTask)
  expect(time).toMatchObject({ data: { state: 'awaiting-confirmation' } })
  expect(time.run_id).not.toBe(haiku.run_id)
  expect(await say('yes')).toMatchObject({ run_id: time.run_id, data: { state: 'completed', job: { state: 'settled' } } })
  await poet.deliver(job_id, 'An old silent pond')
  expect(await rested(user, haiku.run_id)).toMatchObject({ state: 'completed', job: { state: 'settled' } })
})

test("another user's run is not found, on any route", async () => {
  const [owner, stranger] = [await market.user('owner'), await market.user('stranger')]
  const { run_id, data } = await talk(owner).say(clockTask)
  const at = { ...market, ...stranger }
  for (const path of ['', '/events', '/payments'])
    expect(await ask(at, `/runs/${run_id}${path}`)).toMatchObject({ status: 404, code: 'run-not-found' })
  const events = await ask(at, `/runs/${run_id}/events`, { headers: { accept: 'text/event-stream' } })
  expect(events).toMatchObject({ status: 404, code: 'run-not-found' })
  const body = { digest: data.proposal?.digest, decision: 'yes' }
  expect(await ask(at, `/v1/hires/${run_id}/confirm`, { body })).toMatchObject({ status: 404, code: 'run-not-found' })
  expect(await ask(market, `/runs/${run_id}`)).toMatchObject({ status: 401, code: 'unauthenticated' })
})

test("a conversation is its user's own: the same id of another user is another conversation", async () => {
  const [owner, stranger] = [await market.user('owner2'), await market.user('stranger2')]
  const { run_id } = await talk(owner, 'shared').say(clockTask)
  expect((await talk(stranger, 'shared').say('yes')).run_id).not.toBe(run_id)
  expect(await pathOf(owner, run_id)).toEqual([])
})

test('an offering can be found by a search within a moment of its registration', async () => {
  const user = await market.user('finder')
  await provider(market, { ...plain('0.7'), name: 'Zither tuning', description: 'Tunes a zither by ear.' }, 'zither')
  const hit = await until('the offering to be found', async () => {
    const { body } = await ask({ ...market, ...user }, '/offerings/search?query=zither')
    return JSON.stringify(body).includes('Zither tuning')
  })
  expect(hit).toBe(true)
  expect((await talk(user).say('Please tune my zither')).data.proposal).toMatchObject({ agentHandle: 'zither', total: '0.7' })
})
