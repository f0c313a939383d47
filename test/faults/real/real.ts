import { runChainFaults } from './chainFaults.ts'
import { planDeaths, runKills } from './kills.ts'
import { emptyRealTally, type RealTally } from './tally.ts'

type Options = { seed: number; kills: number; chainFaults: number; signal: AbortSignal; progress(tally: RealTally): void }

const progressMs = 5_000

/**
 * Real processes killed on real files, and faults of a real chain, side by side. Only one service is started at a time, so that
 * the time of a start is its own.
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
