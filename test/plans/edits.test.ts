import { afterEach, expect, test } from 'vitest'
import { type Market, offers, openPlanWorld } from './planWorld.ts'

let market: Market
afterEach(() => market?.close())

const request = 'Tell me the local time in Tokyo, tell me the local time in Lima, and tell me the weather forecast of Nairobi'
const openPlan = async () => {
  market = await openPlanWorld({ clock: [offers.clock], weather: [offers.weather] })
  const { plan } = await market.ask(request)
  expect(plan?.steps.map(it => it.input)).toEqual(['{"city":"Tokyo"}', '{"city":"Lima"}', '{"city":"Nairobi"}'])
  return plan
}

test.each([
  ['drop Nairobi', ['Tokyo', 'Lima']],
  ['yes but leave out Lima', ['Tokyo', 'Nairobi']],
  ['Yes, but leave Lima out please.', ['Tokyo', 'Nairobi']],
  ['skip the second one, then yes', ['Tokyo', 'Nairobi']],
  ['ok, everything except the weather', ['Tokyo', 'Lima']],
  ['just 1 and 3', ['Tokyo', 'Nairobi']],
  ['ja, aber ohne Lima', ['Tokyo', 'Nairobi']],
  ['lass die zweite weg', ['Tokyo', 'Nairobi']],
  ['sí, pero sin Nairobi', ['Tokyo', 'Lima']],
  ['quita el segundo, luego sí', ['Tokyo', 'Nairobi']],
])('“%s” makes another plan, which is asked anew, and hires nobody', async (words, cities) => {
  const before = await openPlan()
  const after = await market.answer(words)
  expect(after).toMatchObject({ state: 'awaiting-confirmation', plan: { state: 'proposed' } })
  expect(after.plan?.steps.map(it => it.input)).toEqual(cities.map(city => `{"city":"${city}"}`))
  expect(after.plan?.digest).not.toBe(before?.digest)
  expect(await market.balance(market.userWallet)).toBe(100_000_000n)
})

test.each(['do the first only', 'only Tokyo', 'nur die erste', 'solo el primero'])(
  '“%s” leaves one hire, which is asked anew',
  async words => {
    await openPlan()
    const after = await market.answer(words)
    expect(after).toMatchObject({ state: 'awaiting-confirmation', proposal: { input: '{"city":"Tokyo"}' } })
    expect(after.plan?.state).not.toBe('proposed')
  },
)

test('“change Lima to Quito” changes the one step that has Lima, and hires nobody', async () => {
  await openPlan()
  const after = await market.answer('change Lima to Quito')
  expect(after).toMatchObject({ state: 'awaiting-confirmation', plan: { state: 'proposed' } })
  expect(after.plan?.steps.map(it => it.input)).toEqual(['{"city":"Tokyo"}', '{"city":"Quito"}', '{"city":"Nairobi"}'])
  expect(after.content).not.toContain('Left out')
})

test.each(['not Lima but Quito', 'Quito, not Lima', 'Quito instead of Lima'])(
  '“%s” changes the one step that has Lima, and names nothing as left out',
  async words => {
    await openPlan()
    const after = await market.answer(words)
    expect(after).toMatchObject({ state: 'awaiting-confirmation', plan: { state: 'proposed' } })
    expect(after.plan?.steps.map(it => it.input)).toEqual(['{"city":"Tokyo"}', '{"city":"Quito"}', '{"city":"Nairobi"}'])
    expect(after.content).not.toContain('Left out')
  },
)

test('a correction of what no step has says that nothing changed, and does not show the plan again', async () => {
  const before = await openPlan()
  const after = await market.answer('not Oslo but Quito')
  expect(after.plan?.digest).toBe(before?.digest)
  expect(after.content).toContain('I could not tell which step that changes')
  expect(after.content).not.toContain('I propose a plan')
})

test('“not now, maybe later” keeps the plan and says how long it is open', async () => {
  const before = await openPlan()
  const after = await market.answer('not now, maybe later')
  expect(after.plan?.digest).toBe(before?.digest)
  expect(after.content).toContain('Take your time')
})

test.each(['yes but leave out Paris', 'yes, without the translation'])('“%s”, which names no step, hires nobody', async words => {
  const before = await openPlan()
  const after = await market.answer(words)
  expect(after.state).toBe('awaiting-confirmation')
  expect(after.plan?.digest).toBe(before?.digest)
})
