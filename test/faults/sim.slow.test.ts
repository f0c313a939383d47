import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bench, closeBench, openBench } from './sim/bench.ts'
import { planted } from './sim/planted.ts'
import { runScenario } from './sim/scenario.ts'
import { catchStrays } from './sim/strays.ts'
import { addOutcome, emptyTally, faultsOf } from './sim/tally.ts'

let bench: Bench
let putBack: () => void
beforeAll(async () => {
  putBack = catchStrays()
  bench = await openBench()
})
afterAll(() => {
  closeBench(bench)
  putBack()
})

const seed = 1
/** High, because simulated time does not depend on real time; the duration depends on the machine. */
const timeout = 600_000
const maxScenarios = 20

test('a thousand faults lose no USDC, no job and no event', { timeout }, async () => {
  const tally = emptyTally()
  // In scenarios with the most faults nobody hires, so some calmer scenarios are needed too.
  for (let scenario = 0; faultsOf(tally) < 1_000 || (tally.jobs <= 5 && scenario < maxScenarios); scenario++) {
    const outcome = await runScenario({ ...bench, seed, scenario })
    expect(outcome.violations, `node test/faults/main.ts --seed ${seed} --scenario ${scenario}`).toEqual([])
    addOutcome(tally, scenario, outcome)
  }
  expect(tally).toMatchObject({ usdcLost: 0n, usdcCreated: 0n, jobsLost: 0, doubleSettlements: 0 })
  expect(tally.jobs).toBeGreaterThan(5)
})

// Scenarios that once found a defect in the service or in a check. Later changes have altered them.
test.each([
  [20261122, 207],
  [317316580, 8],
  [20261122, 116],
  [99, 146],
  [90210, 25],
  [2156905345, 44],
  [3265050995, 4],
])('seed %i, scenario %i, which failed once, loses nothing', { timeout }, async (seed, scenario) => {
  expect((await runScenario({ ...bench, seed, scenario })).violations).toEqual([])
})

test('the same seed gives the same run', { timeout }, async () => {
  const [first, second] = [await runScenario({ ...bench, seed, scenario: 3 }), await runScenario({ ...bench, seed, scenario: 3 })]
  expect(second.trace).toEqual(first.trace)
  expect(second.counts).toEqual(first.counts)
})

const byUse = planted.filter(it => it.byUse).map(it => [it.name, it] as const)
const maxLives = 40

test.each(byUse)(
  'the bug “%s”, planted in prices by use, is found in one of the first lives',
  { timeout },
  async (_name, mutation) => {
    const of = { ...bench, seed, byUse: true, ...(mutation.focus && { focus: mutation.focus }) }
    let found: string[] = []
    for (let scenario = 0; found.length === 0 && scenario < maxLives; scenario++)
      found = (await runScenario({ ...of, scenario, mutation })).violations
    expect(found).not.toEqual([])
  },
)

test('a deliberately planted bug is found', { timeout }, async () => {
  const mutation = planted.find(it => it.without === 'write-ahead')
  const { violations } = await runScenario({ ...bench, seed, scenario: 0, ...(mutation && { mutation }) })
  expect(violations.join()).toContain('was sent before it was written down')
})
