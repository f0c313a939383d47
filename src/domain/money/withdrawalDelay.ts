import { isProduction } from '../chains/chains.ts'
import { dayMs, minuteMs } from '../durations.ts'

/**
 * How long a new withdrawal address waits before anything is sent there, in ms. A day on a chain with real money, so that
 * the owner is told and can act; a minute on a test chain, so that the wait can be seen.
 */
export const withdrawalDelayMs = (chainId: number): number => (isProduction(chainId) ? dayMs : minuteMs)
