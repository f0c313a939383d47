import type { Address } from '../hex.ts'
import type { Atomic } from './money.ts'

/**
 * What a wallet committed on a chain in the last 24 hours, by the run of each commitment, in atomic USDC. `seq` is the number of
 * the newest signature that was read; 0 without one.
 */
export type Spending = { wallet: Address; chainId: number; runs: ReadonlyMap<string, Atomic>; seq: number }

/** The sum of all runs but one, in atomic USDC. */
export const spentBesides = ({ runs }: Pick<Spending, 'runs'>, runId: string): Atomic =>
  [...runs].reduce((sum, [run, amount]) => (run === runId ? sum : sum + amount), 0n)
