import { formatUsdc } from '../../src/domain/money/money.ts'
import type { Recovered } from './processes/processFaults.ts'
import { chainFaultsOf, cheatsOf, doubleSettlementsOf, jobsLostOf, type RealTally } from './real/tally.ts'
import { usdcDecimals } from './sim/chain/port.ts'
import { kinds, notSimulated } from './sim/kinds.ts'
import type { Finding, Hunted } from './sim/laneWork.ts'
import { faultsOf } from './sim/tally.ts'
import { type Simulated, tallyOf } from './simulation.ts'

export type Run = { seeds: number[]; lanes: number; minutes: number; hunted: Hunted[]; simulated: Simulated[]; real: RealTally }

const count = (number: number, what: string) => `${number.toLocaleString('en-US')} ${what}`
const usdc = (amount: bigint) => formatUsdc(amount, usdcDecimals)
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`

/** A killed process, and one killed again during recovery. The tests with real processes count these kinds too. */
const kindsOfKills = [1, 5]

const kindsOf = ({ simulated, real }: Run) =>
  new Set([
    ...tallyOf(simulated).counts.keys(),
    ...[...real.chainFaults.values()].map(it => it.kind),
    ...(real.kills > 0 ? kindsOfKills : []),
  ])

const sums = ({ simulated, real }: Run) => {
  const tally = tallyOf(simulated)
  return {
    tally,
    usdcLost: tally.usdcLost + real.usdcLost,
    usdcCreated: tally.usdcCreated + real.usdcCreated,
    jobsLost: tally.jobsLost + jobsLostOf(real),
    doubleSettlements: tally.doubleSettlements + doubleSettlementsOf(real),
    violations: tally.violations + real.violations.length,
  }
}

const nameSeeds = (seeds: number[]) => (seeds.length === 1 ? `seed ${seeds[0]}` : `${seeds.length} seeds`)

/** The figures of a run in one sentence. Every number in it was counted. */
export const toSentence = (run: Run): string => {
  const { seeds, lanes, minutes, hunted, real } = run
  const { tally, usdcLost, usdcCreated, jobsLost, doubleSettlements, violations } = sums(run)
  const found = hunted.filter(it => it.scenarios > 0)
  return [
    `fault run, ${nameSeeds(seeds)}, ${lanes} lanes, ${minutes.toFixed(1)} min:`,
    `${count(faultsOf(tally), 'simulated faults')} of ${tally.counts.size} kinds at ${count(tally.places.size, 'places')}`,
    `(${count(tally.scenarios, 'scenarios')}, ${count(tally.jobs, 'jobs')}, ${count(tally.plans, 'plans')} with ${count(tally.planSteps, 'hired steps')}, ${count(tally.deaths, 'restarts')}, ${count(tally.reorgs, 'reorgs')});`,
    `${count(real.kills, 'kill -9')} of a service and ${real.chainKills} of its chain;`,
    `${count(chainFaultsOf(real), 'faults')} of ${real.chainFaults.size} sorts on a real EVM node;`,
    `${count(real.hires, 'real hires')} (${real.hiresByUse} by use), ${count(real.purchases, 'x402 purchases')} and paid calls (${real.byUse} by use), ${count(cheatsOf(real), 'paid calls')} of cheats, ${count(real.trades, 'token trades')}, ${count(real.audits, 'audits')} of database and chain.`,
    `${usdc(usdcLost)} USDC lost, ${usdc(usdcCreated)} created, ${jobsLost} jobs lost, ${doubleSettlements} double settlements, ${violations} violations.`,
    `Slowest recovery ${seconds(real.slowestSettledMs)} from the start of the process until all open jobs had ended`,
    `(first answer after ${seconds(real.slowestServedMs)}).`,
    `${found.length} of ${hunted.length} planted bugs found, median after ${median(found.map(it => it.scenarios))} scenarios.`,
    `Repeat: npm run fault -- ${seeds.map(it => `--seed ${it}`).join(' ')}`,
  ].join(' ')
}

/** The same figures for programs. USDC as decimal numbers. */
export const toRecord = (run: Run) => {
  const { tally, usdcLost, usdcCreated, jobsLost, doubleSettlements, violations } = sums(run)
  return {
    seeds: run.seeds,
    failing_seeds: run.simulated.filter(it => it.finding).map(it => it.seed),
    faults: faultsOf(tally),
    kinds: kindsOf(run).size,
    plans: tally.plans,
    plan_steps: tally.planSteps,
    kills: run.real.kills,
    chain_faults: chainFaultsOf(run.real),
    x402_purchases: run.real.purchases,
    x402_by_use: run.real.byUse,
    hires_by_use: run.real.hiresByUse,
    x402_cheats: cheatsOf(run.real),
    token_trades: run.real.trades,
    usdc_lost: Number(usdc(usdcLost)),
    usdc_created: Number(usdc(usdcCreated)),
    jobs_lost: jobsLost,
    double_settlements: doubleSettlements,
    violations,
    slowest_recovery_ms: Math.round(run.real.slowestSettledMs),
    planted: { found: run.hunted.filter(it => it.scenarios > 0).length, total: run.hunted.length },
  }
}

/** The figures of a run against several processes in one sentence. */
export const toProcessSentence = (processes: number, real: RealTally): string =>
  [
    `${processes} processes: ${count(real.kills, 'kill -9')}, ${count(real.hires, 'hires')}, ${count(real.audits, 'audits')} of database and chain.`,
    `${usdc(real.usdcLost)} USDC lost, ${usdc(real.usdcCreated)} created, ${jobsLostOf(real)} jobs lost, ${doubleSettlementsOf(real)} double settlements.`,
  ].join(' ')

/** The same figures for programs. */
export const toProcessRecord = (processes: number, real: RealTally, recovered: Recovered[]) => ({
  processes,
  kills: real.kills,
  hires: real.hires,
  usdc_lost: Number(usdc(real.usdcLost)),
  usdc_created: Number(usdc(real.usdcCreated)),
  jobs_lost: jobsLostOf(real),
  double_settlements: doubleSettlementsOf(real),
  violations: real.violations.length,
  recovered,
})

/** The count of each kind of fault: simulated, not simulated, and on a real chain. */
export const toTable = ({ simulated, real }: Run): string => {
  const { counts } = tallyOf(simulated)
  const line = (kind: number | string, times: number | string, name: string) =>
    `${String(kind).padStart(4)} ${String(times).padStart(8)}  ${name}`
  return [
    ...(counts.size > 0
      ? [
          ...Object.entries(kinds).map(([kind, name]) => line(kind, counts.get(Number(kind)) ?? 0, name)),
          ...Object.entries(notSimulated).map(([kind, why]) => line(kind, '–', why)),
        ]
      : []),
    ...(real.kills > 0
      ? [line('real', real.kills, 'kill -9 of the service'), line('real', real.chainKills, 'of its chain')]
      : []),
    ...[...real.cheats].toSorted().map(([how, times]) => line('real', times, how)),
    ...(real.slowestDeath ? [`slowest recovery: ${seconds(real.slowestSettledMs)} after ${real.slowestDeath}`] : []),
    ...(real.slowestRest.ms > 0 ? [`slowest rest: ${seconds(real.slowestRest.ms)} after ${real.slowestRest.after}`] : []),
    ...[...real.chainFaults]
      .toSorted(([, a], [, b]) => a.kind - b.kind)
      .map(([name, it]) => line('real', it.count, `${name} (${it.kind})`)),
  ].join('\n')
}

/** The result for one planted bug in one line. */
export const toHunt = ({ name, without, scenarios, violation }: Hunted): string =>
  `planted: ${name} (without ${without}): ${scenarios > 0 ? `found after ${scenarios} scenarios: ${violation.slice(0, 80)}` : 'NOT FOUND'}`

/** The result of one seed in one line. */
export const toSeedLine = ({ seed, tally, finding }: Simulated): string =>
  `seed ${seed}: ${count(faultsOf(tally), 'faults')}, ${count(tally.scenarios, 'scenarios')}, ${finding ? `VIOLATION in scenario ${finding.scenario}` : 'no violation'}`

const traceLines = 40

/** The trace before a violation, the violation, and the command that reproduces it. */
export const toFinding = ({ scenario, violations, trace }: Finding, seed: number, plans = false): string =>
  [
    ...trace.slice(-traceLines),
    ...violations.map(it => `VIOLATION ${it}`),
    `Repeat: npm run fault -- --seed ${seed} --scenario ${scenario}${plans ? ' --plans' : ''}`,
  ].join('\n')
