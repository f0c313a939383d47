import { afterEach, expect, test } from 'vitest'
import { Problem } from '../../src/domain/problem.ts'
import { type Market, offers, openPlanWorld } from './planWorld.ts'

let market: Market
afterEach(() => market?.close())

test('a limit before a colon is no text, and the tasks after it are planned', async () => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather] })
  const asked = await market.ask(
    'For at most 1 USDC in total: tell me the local time in Tokyo, and tell me the weather forecast of London',
  )
  expect(asked.plan?.steps).toMatchObject([
    { agent_handle: 'clock', input: '{"city":"Tokyo"}' },
    { agent_handle: 'weather', input: '{"city":"London"}' },
  ])
})

test('the first question for one task names what of the message was not read', async () => {
  market = await openPlanWorld({ clock: [offers.clock] })
  const asked = await market.ask('Tell me the local time, with a red boat on blue water')
  expect(asked).toMatchObject({ state: 'awaiting-input' })
  expect(asked.content).toContain('red boat')
})

test('a question about the price of an open plan is answered by step, and one beside a request is no task', async () => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather] })
  await market.ask('Tell me the local time in Tokyo, and tell me the weather forecast of London')
  const answered = await market.answer('What do you charge?')
  expect(answered.content).toMatch(/All 2 steps cost at most [\d.]+ USDC: [\d.]+ USDC for step 1, [\d.]+ USDC for step 2/)
  const beside = await market.ask('What do you charge? And tell me the local time in Tokyo', 'run-2')
  expect(beside.plan).toBeUndefined()
  expect(beside.content).not.toContain('Nobody here does')
})

test('clauses that ask for different offerings are a step each, whatever their verbs', async () => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather] })
  const asked = await market.ask('What is the local time in Oslo, and forecast the weather of Lima')
  expect(asked.plan?.steps).toMatchObject([
    { agent_handle: 'clock', input: '{"city":"Oslo"}' },
    { agent_handle: 'weather', input: '{"city":"Lima"}' },
  ])
})

test.each([
  ['Could you tell me the local time in Oslo and whether example.org is up?', 'example.org'],
  ['Summarize "bees make honey" and count its letters', 'count its letters'],
  ['Summarize this text and count its letters: bees make honey in summer.', 'count its letters'],
])('“%s” names what its only hire does not do', async (words, lost) => {
  market = await openPlanWorld({ clock: [offers.clock], sum: [offers.summarizer] })
  const asked = await market.ask(words)
  expect(asked.state).toBe('awaiting-confirmation')
  expect(`${asked.content} ${asked.proposal?.left_out}`).toContain(lost)
})

const poet = "Tell me the local time in Oslo, also I'd love a haiku about Rome"
test('a task is no step of an offering of which it only has the kind of value', async () => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather] })
  const asked = await market.ask(poet)
  expect(asked).toMatchObject({ proposal: { input: '{"city":"Oslo"}' }, unplanned: ["I'd love a haiku about Rome"] })
})

test('what a later task says of an earlier one that nobody does is kept: “there” is its place', async () => {
  market = await openPlanWorld({ clock: [offers.clock] })
  const asked = await market.ask('Mend my sail in Oslo and tell me the local time there')
  expect(asked).toMatchObject({ proposal: { input: '{"city":"Oslo"}' }, unplanned: ['Mend my sail in Oslo'] })
})

test('a part that only names its offering is a step beside the others, also before a colon', async () => {
  const dice = { ...offers.clock, id: 'dice', name: 'Dice', description: 'Rolls dice.' }
  const sides = { type: 'object', properties: { sides: { type: 'integer', description: 'how many sides' } } }
  market = await openPlanWorld({ clock: [offers.clock], dice: [{ ...dice, requirement: sides }], sum: [offers.summarizer] })
  const asked = await market.ask('Local time in Oslo, dice, and summarize this text: bees make honey in summer')
  expect(asked.plan?.steps).toMatchObject([
    { agent_handle: 'clock', input: '{"city":"Oslo"}' },
    { agent_handle: 'dice', input: '{}' },
    { agent_handle: 'sum', input: '{"text":"bees make honey in summer"}' },
  ])
})

test('an address to pay whose seller is not reached is named beside the other task, and nothing is paid for it', async () => {
  market = await openPlanWorld({ clock: [offers.clock] })
  Object.assign(market.deps.resources, { ask: () => Promise.reject(new Problem('agent-unreachable')) })
  const asked = await market.ask('Tell me the local time in Oslo. Then pay for https://seller.example/map')
  expect(asked).toMatchObject({ proposal: { input: '{"city":"Oslo"}' }, unplanned: ['pay for https://seller.example/map'] })
})

test('what is lost beside a step that takes plain text is named', async () => {
  const plain = { ...offers.summarizer, requirement: { type: 'string' } }
  market = await openPlanWorld({ clock: [offers.clock], sum: [plain] })
  const asked = await market.ask('Summarize the text “bees make honey”. Then tell me the local time in Oslo. The sail is torn.')
  expect(`${asked.content} ${asked.plan?.steps.map(it => it.left_out)}`).toContain('sail')
})
