import { formatUsdc } from '../../../src/domain/money.ts'
import { usdcDecimals } from './chain/port.ts'
import { kinds, notSimulated } from './kinds.ts'
import type { Finding, Hunted } from './lane.ts'
import { faultsOf, type Tally } from './tally.ts'

export type Run = { seed: number; lanes: number; minutes: number; reorgs: boolean; tally: Tally; hunted: Hunted[] }

const count = (number: number, what: string) => `${number.toLocaleString('en-US')} ${what}`
const usdc = (amount: bigint) => formatUsdc(amount, usdcDecimals)
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** The figures of a run in one sentence; every number in it was counted. */
export const toSentence = ({ seed, lanes, minutes, reorgs, tally, hunted }: Run): string => {
  const found = hunted.filter(it => it.scenarios > 0)
  return [
    `fault run, seed ${seed}, scenarios 0–${tally.lastScenario}, ${lanes} lanes, ${minutes.toFixed(1)} min:`,
    `${count(faultsOf(tally), 'simulated faults')} of ${tally.counts.size} kinds at ${count(tally.places.size, 'places')},`,
    `${count(tally.jobs, 'jobs')}, ${count(tally.deaths, 'restarts')}, ${reorgs ? count(tally.reorgs, 'reorgs') : 'no reorgs (--reorgs deals them)'};`,
    `simulated only: 0 kill -9, 0 faults on a real chain.`,
    `${usdc(tally.usdcLost)} USDC lost, ${usdc(tally.usdcCreated)} created, ${tally.jobsLost} jobs lost, ${tally.doubleSettlements} double settlements.`,
    `Slowest recovery ${(tally.recoveryMs / 1_000).toFixed(1)} s of simulated time.`,
    `${found.length} of ${hunted.length} planted bugs found, median after ${median(found.map(it => it.scenarios))} scenarios.`,
    `Repeat: npm run fault -- --seed ${seed} --scenario K`,
  ].join(' ')
}

/** The same figures for programs. */
export const toRecord = ({ seed, tally, hunted }: Run) => ({
  seed,
  faults: faultsOf(tally),
  kinds: tally.counts.size,
  kills: 0,
  chain_faults: 0,
  usdc_lost: usdc(tally.usdcLost),
  usdc_created: usdc(tally.usdcCreated),
  jobs_lost: tally.jobsLost,
  double_settlements: tally.doubleSettlements,
  slowest_recovery_ms: tally.recoveryMs,
  planted: { found: hunted.filter(it => it.scenarios > 0).length, total: hunted.length },
})

/** How often each kind came, and which never can here. */
export const toTable = ({ counts }: Tally): string =>
  [
    ...Object.entries(kinds).map(
      ([kind, name]) => `${kind.padStart(4)} ${String(counts.get(Number(kind)) ?? 0).padStart(8)}  ${name}`,
    ),
    ...Object.entries(notSimulated).map(([kind, why]) => `${kind.padStart(4)}        –  ${why}`),
  ].join('\n')

/** How a planted bug was found, in a line. */
export const toHunt = ({ name, without, scenarios, violation }: Hunted): string =>
  `planted: ${name} (without ${without}): ${scenarios > 0 ? `found after ${scenarios} scenarios: ${violation.slice(0, 80)}` : 'NOT FOUND'}`

const traceLines = 40

/** What went before a violation, the violation, and how to see it again. */
export const toFinding = ({ scenario, violations, trace }: Finding, { seed, reorgs }: Pick<Run, 'seed' | 'reorgs'>): string =>
  [
    ...trace.slice(-traceLines),
    ...violations.map(it => `VIOLATION ${it}`),
    `Repeat: npm run fault -- --seed ${seed} --scenario ${scenario}${reorgs ? ' --reorgs' : ''}`,
  ].join('\n')
