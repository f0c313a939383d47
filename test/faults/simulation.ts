import type { Bench } from './sim/bench.ts'
import type { Finding, Hunted, LaneReport } from './sim/lane.ts'
import { runLanes } from './sim/lanes.ts'
import { emptyTally, faultsOf, sumTallies, type Tally } from './sim/tally.ts'

export type Simulated = { tally: Tally; finding: Finding | undefined; minutes: number }
export const nothingSimulated: Simulated = { tally: emptyTally(), finding: undefined, minutes: 0 }

type Work = { bench: Bench; seed: number; lanes: number; signal: AbortSignal; tell(line: string): void }

/**
 * Looks for every planted bug, or as many as there is time for. Its threads end with this process.
 * @param onHunted told of each bug once it was found or given up
 */
export const huntPlanted = async (
  { bench, seed, lanes, signal, tell }: Work,
  onHunted: (it: Hunted) => void,
): Promise<Hunted[]> => {
  const told = new Set<string>()
  const show = (hunted: Hunted[]) => {
    for (const it of hunted) if (!told.has(it.name)) onHunted(it)
    for (const it of hunted) told.add(it.name)
    return hunted
  }
  const stopped = Promise.withResolvers<Hunted[]>()
  let latest: Hunted[] = []
  signal.addEventListener('abort', () => stopped.resolve(latest))
  const running = runLanes({ ...bench, seed, lanes, hunts: true, endsAt: 0 }, ({ hunted }) => {
    latest = show(hunted)
    tell(`planted bugs: ${hunted.length} looked for`)
  })
  return Promise.race([running.then(reports => show(reports.flatMap(it => it.hunted))), stopped.promise])
}

/** Honest scenarios until the time is over, so many faults have come, or one of them breaks something. */
export const simulate = async (
  { bench, seed, lanes, signal, tell }: Work,
  { minutes, faults }: { minutes: number; faults: number },
): Promise<Simulated> => {
  const startedAt = Date.now()
  const minutesSoFar = () => (Date.now() - startedAt) / 60_000
  const enough = Promise.withResolvers<Simulated>()
  let latest: LaneReport['tally'] = emptyTally()
  const stop = () => enough.resolve({ tally: latest, finding: undefined, minutes: minutesSoFar() })
  signal.addEventListener('abort', stop)
  const running = runLanes({ ...bench, seed, lanes, hunts: false, endsAt: startedAt + minutes * 60_000 }, ({ tally }) => {
    latest = tally
    tell(`simulation: ${tally.scenarios} scenarios, ${faultsOf(tally)} faults`)
    if (faultsOf(tally) >= faults) stop()
  })
  const finished = running.then(reports => ({
    tally: sumTallies(reports.map(it => it.tally)),
    finding: reports.find(it => it.finding)?.finding,
    minutes: minutesSoFar(),
  }))
  return Promise.race([finished, enough.promise])
}
