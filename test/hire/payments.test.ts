import { afterAll, beforeAll, expect, test } from 'vitest'
import { offers } from '../plans/planWorld.ts'
import { startTestService, type TestService } from '../service.ts'
import { plain, provider, rested, talk } from './market.ts'

let market: TestService
beforeAll(async () => {
  market = await startTestService()
  await market.agent({ handle: 'city-time', offerings: [offers.clock], handler: async () => ({ time: '10:00' }) })
  await market.agent({ handle: 'city-sky', offerings: [offers.weather], handler: async () => ({ forecast: 'rain' }) })
})
afterAll(() => market?.stop())

const planned = 'Tell me the local time in Tokyo, and tell me the weather forecast of London'

test('after a plan, who did it, what it cost and how it stands are told by step, and payments by agent and day', async () => {
  const user = await market.user('planner')
  const { say } = talk(user)
  const { run_id } = await say(planned)
  await say('yes')
  await rested(user, run_id)
  for (const words of ['who did what?', 'what did each one cost?', 'status']) {
    const { content } = await say(words)
    expect(content).toContain('Step 1: “Local time” by city-time was delivered')
    expect(content).toContain('Step 2: “Weather” by city-sky was delivered')
  }
  expect((await say('who got paid the most?')).content).toMatch(
    /- city-sky: 0\.2 USDC for 1 job\n- city-time: 0\.1 USDC for 1 job$/,
  )
  expect((await say('what did I pay and who got it')).content).toContain('- city-time: 0.1 USDC')
  expect((await say('how much did I spend on city-time?')).content).toBe('You have spent 0.1 USDC on city-time, for 1 job.')
  const today = await say('what did I buy today?')
  expect(today.content).toMatch(/^You have spent 0\.3 USDC today \(UTC\), for 2 jobs\.\n- .+ “/)
  expect(today.data.proposal).toBeUndefined()
  expect((await say('the result is wrong, I want my money back')).content).toContain('You can appeal within seven days')
}, 60_000)

test('a question about money back leaves the open proposal, and a question about what runs finds jobs of other conversations', async () => {
  const silent = await provider(market, plain('0.1', { name: 'Write a novel', description: 'Writes a novel.' }))
  const user = await market.user('elsewhere')
  const ordering = talk(user)
  await ordering.say(`Hire agent ${silent.handle} to write a novel about a harbour`)
  await ordering.say('yes', 1)
  const { say } = talk(user)
  await say('Tell me the local time in Tokyo')
  const { content } = await say('did I get my money back? who is to blame?')
  expect(content).toContain('Nothing has come back to you.')
  expect(content).toContain('The proposal is still open')
  expect((await say('Is anything still running?')).content).toContain(`“Write a novel” by ${silent.handle}`)
}, 60_000)

test('what stands behind a refusal changes the proposal or is asked about', async () => {
  const { say } = talk(await market.user('turning'))
  await say('Tell me the local time in Berlin')
  expect((await say('nein, lieber Wien')).data.proposal).toMatchObject({ input: '{"city":"Wien"}' })
  const asked = await say('nevermind, do it after all')
  expect(asked.content).toContain('Say yes to hire, no to leave it')
  expect(asked.data.state).toBe('awaiting-confirmation')
})

test('an agent is blocked by no words, and the command that blocks it is named', async () => {
  const user = await market.user('blocker')
  const told = await talk(user).say('block city-sky')
  expect(told.content).toContain('`market mark HANDLE blocked`')
  expect(told.data).toMatchObject({ state: 'completed' })
})

test('a pasted text is told from a file, and its price and a refusal are answered meanwhile', async () => {
  const file = { type: 'string', format: 'file', contentMediaType: 'text/csv', description: 'The table to clean' }
  const requirement = { type: 'object', required: ['table'], properties: { table: file } }
  const { handle } = await provider(market, plain('0.1', { name: 'Clean a table', description: 'Cleans a table.', requirement }))
  const { say } = talk(await market.user('paster'))
  const first = await say(`Hire agent ${handle} to clean this table:\nname,age\nBob,3\nAnn,4`)
  expect(first.content).toContain('A pasted text is no file')
  expect((await say('what does it cost?')).content).toContain('It costs 0.1 USDC in all')
  expect(await say('no')).toMatchObject({ data: { act: 'no' }, content: 'All right. Nothing was hired and nothing was paid.' })
})

test('what a change reads as a day, and a step that was skipped, are not left out', async () => {
  const start = { type: 'string', format: 'date', description: 'The day' }
  const requirement = { type: 'object', required: ['start'], properties: { start } }
  const { handle } = await provider(market, plain('0.1', { name: 'Book a boat', description: 'Books a boat.', requirement }))
  const { say } = talk(await market.user('mover'))
  await say(`Hire agent ${handle} to book a boat on Dec 3`)
  expect((await say('move it to Dec 4')).data.proposal).toMatchObject({ left_out: [], input: expect.stringContaining('-12-04') })
  const plan = talk(await market.user('skipper'))
  await plan.say('Tell me the local time in Oslo, tell me the local time in Rome, and tell me the weather forecast of London')
  const { content } = await plan.say('skip 3')
  expect(content).toContain('I propose a plan of 2 steps.')
  expect(content).not.toContain('Left out ')
})
