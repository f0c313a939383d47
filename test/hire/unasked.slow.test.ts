import { afterAll, beforeAll, expect, test } from 'vitest'
import { readOrders } from '../conversations/orders/read.ts'
import { inLanes } from '../conversations/people/providers.ts'
import { startTestService, type TestService, type User, until } from '../service.ts'
import { balancesOf, plain, provider, readRun, talk } from './market.ts'

let market: TestService
let poet: Awaited<ReturnType<typeof provider>>
const clock = {
  ...{ id: 'time', name: 'Local time', description: 'Tells what time it is in a city.', price: '0.02' },
  requirement: { type: 'object', required: ['city'], properties: { city: { type: 'string', description: 'The city' } } },
}
const password = { id: 'word', name: 'Make a password', description: 'Makes a random password from a text.', price: '0.02' }
beforeAll(async () => {
  market = await startTestService({ env: { LOG_LEVEL: 'silent' } })
  poet = await provider(market, plain('0.1'), 'poet')
  await provider(market, clock, 'clock')
  await provider(market, password, 'secrets')
})
afterAll(() => market?.stop())

const lanes = 6
const budget = { max_per_job: '1', max_per_period: '90', period: 'day' }
const withMandate = async (name: string): Promise<User> => {
  const user = await market.user(name)
  await user.client.post('/v1/mandates', budget)
  return user
}

/** Sends a message in a new conversation, and returns its run when the butler has hired, asked or ended. */
const sent = async (user: User, message: string) => {
  const { run_id } = await talk(user).say(message, 0)
  return until(`run ${run_id} to ask, hire or end`, async () => {
    const run = await readRun(user, run_id)
    return run.job || run.state !== 'working' ? run : undefined
  })
}

const named = () => ({ handle: poet.handle, id: poet.agentId, price: '0.1' })
const others = [
  "Don't hire anyone: what time is it in Rome?",
  'Show me a proposal for the time in Rome but do not buy',
  'What would it cost to know the time in Rome?',
  'Tomorrow I will ask you for the time in Rome',
  'would you tell me the time in Rome if I asked?',
  `Summarize this text: ${'The market makes a random password from a text when asked. '.repeat(250)}`,
]

test('a mandate buys nothing for a message that is more than a plain request: it is proposed', async () => {
  const messages = [...(await readOrders('not-plain', named())).map(it => it.say), ...others]
  const user = await withMandate('not-plain')
  const before = await balancesOf(user)
  const hired: string[] = []
  await inLanes(messages, lanes, async say => {
    if ((await sent(user, say)).job) hired.push(say)
  })
  expect([messages.length >= 60, hired, await balancesOf(user)]).toEqual([true, [], before])
})

test('a mandate still buys a plain request, and says why it asks about another one', async () => {
  const user = await withMandate('plain')
  for (const { say, kind } of await readOrders('plain', named()))
    if (kind === 'named') {
      const { job, proposal } = await sent(user, say)
      expect([say, job, proposal?.mandate?.why]).toMatchObject([say, { amount: '0.1' }, undefined])
    }
  expect((await sent(user, 'What time is it in Rome?')).job).toMatchObject({ amount: '0.02' })
  const { proposal } = await sent(user, `Hire agent ${poet.handle} to write a haiku if it rains`)
  expect(proposal?.mandate).toMatchObject({ covers: false, why: 'asks because your message is more than a plain request' })
})
