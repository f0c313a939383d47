import { isFinal } from '../../domain/jobs/job.ts'
import { type Atomic, formatUsdc } from '../../domain/money/money.ts'
import type { JobCount } from '../../ports.ts'
import type { Deps } from '../operation.ts'

/** Counts of jobs, and their revenue in USDC. The sum is computed exactly and converted to a number at the end. */
export type Figures = { total: number; settled: number; ended: number; revenue: number }

export const noFigures: Figures = { total: 0, settled: 0, ended: 0, revenue: 0 }

/**
 * Counts jobs and sums their payouts in USDC. Cancelled jobs never held money and are not counted. Each chain is summed in its
 * own units, because the decimals of USDC differ.
 */
export const toFigures = (counts: JobCount[], { chains }: Pick<Deps, 'chains'>): Figures => {
  const revenue = new Map<number, Atomic>()
  const sums = { ...noFigures }
  for (const { state, count, chainId, budget, fee } of counts) {
    sums.total += count
    if (isFinal(state) && state !== 'cancelled') sums.ended += count
    if (state !== 'settled') continue
    sums.settled += count
    revenue.set(chainId, (revenue.get(chainId) ?? 0n) + (budget - fee) * BigInt(count))
  }
  const inUsdc = [...revenue].map(([chainId, sum]) => Number(formatUsdc(sum, chains.get(chainId)?.usdcDecimals ?? 6)))
  return { ...sums, revenue: inUsdc.reduce((sum, it) => sum + it, 0) }
}

/** Figures per agent. Agents without jobs are absent. */
export const figuresByAgent = (counts: JobCount[], deps: Pick<Deps, 'chains'>): Map<string, Figures> =>
  new Map([...Map.groupBy(counts, it => it.agentId)].map(([agentId, its]) => [agentId, toFigures(its, deps)]))

/** Percentage of ended jobs that were paid; 0 before the first. */
export const successRate = ({ settled, ended }: Figures): number => (ended === 0 ? 0 : Math.round((1000 * settled) / ended) / 10)
