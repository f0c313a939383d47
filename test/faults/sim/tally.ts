import type { Outcome } from './scenario.ts'

/** Statistics of many scenarios. Amounts in atomic USDC. */
export type Tally = {
  scenarios: number
  lastScenario: number
  counts: Map<number, number>
  places: Set<string>
  deaths: number
  reorgs: number
  jobs: number
  /** Plans with a yes, and the jobs of their steps. */
  plans: number
  planSteps: number
  recoveryMs: number
  usdcLost: bigint
  usdcCreated: bigint
  jobsLost: number
  doubleSettlements: number
  violations: number
}

export const emptyTally = (): Tally => ({
  scenarios: 0,
  lastScenario: -1,
  counts: new Map(),
  places: new Set(),
  deaths: 0,
  reorgs: 0,
  jobs: 0,
  plans: 0,
  planSteps: 0,
  recoveryMs: 0,
  usdcLost: 0n,
  usdcCreated: 0n,
  jobsLost: 0,
  doubleSettlements: 0,
  violations: 0,
})

export const addOutcome = (tally: Tally, scenario: number, outcome: Outcome): void => {
  const { places, restarts, violations } = outcome
  tally.scenarios += 1
  tally.lastScenario = Math.max(tally.lastScenario, scenario)
  for (const [kind, count] of outcome.counts) tally.counts.set(kind, (tally.counts.get(kind) ?? 0) + count)
  for (const place of places) tally.places.add(place)
  tally.deaths += restarts
  tally.reorgs += outcome.reorgs
  tally.jobs += outcome.jobs
  tally.plans += outcome.plans
  tally.planSteps += outcome.planSteps
  tally.recoveryMs = Math.max(tally.recoveryMs, outcome.recoveryMs)
  tally.usdcLost += outcome.usdcLost
  tally.usdcCreated += outcome.usdcCreated
  tally.violations += violations.length
  tally.jobsLost += violations.filter(it => it.startsWith('I3')).length
  tally.doubleSettlements += violations.filter(it => it.startsWith('I2')).length
}

const counted = [
  'scenarios',
  'deaths',
  'reorgs',
  'jobs',
  'plans',
  'planSteps',
  'jobsLost',
  'doubleSettlements',
  'violations',
] as const

/** The sum of the statistics of all lanes. */
export const sumTallies = (tallies: Tally[]): Tally => {
  const sum = emptyTally()
  for (const it of tallies) {
    for (const [kind, count] of it.counts) sum.counts.set(kind, (sum.counts.get(kind) ?? 0) + count)
    for (const place of it.places) sum.places.add(place)
    sum.lastScenario = Math.max(sum.lastScenario, it.lastScenario)
    sum.recoveryMs = Math.max(sum.recoveryMs, it.recoveryMs)
    sum.usdcLost += it.usdcLost
    sum.usdcCreated += it.usdcCreated
    for (const name of counted) sum[name] += it[name]
  }
  return sum
}

export const faultsOf = ({ counts }: Pick<Tally, 'counts'>): number => [...counts.values()].reduce((sum, it) => sum + it, 0)
