import { runChainFaults } from './chainFaults.ts'
import { planDeaths, runKills } from './kills.ts'
import { emptyRealTally, type RealTally } from './tally.ts'

type Options = { seed: number; kills: number; chainFaults: number; signal: AbortSignal; progress(tally: RealTally): void }

const progressMs = 5_000

/**
 * Kills real processes on real files and causes faults of a real chain, concurrently. Only one service starts at a time, so
 * that start times can be measured.
 */
export const runReal = async ({ seed, kills, chainFaults, signal, progress }: Options): Promise<RealTally> => {
  const tally = emptyRealTally()
  const showing = setInterval(() => progress(tally), progressMs)
  try {
    await Promise.all([
      runChainFaults({ count: chainFaults, seed }, tally, signal),
      runKills(planDeaths({ kills, seed }), tally, signal),
    ])
  } finally {
    clearInterval(showing)
  }
  return tally
}
