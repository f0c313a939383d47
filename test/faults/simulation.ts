import type { Bench } from './sim/bench.ts'
import type { Finding, Hunted } from './sim/lane.ts'
import { runLanes } from './sim/lanes.ts'
import { emptyTally, faultsOf, sumTallies, type Tally } from './sim/tally.ts'

/** What one seed came to. */
export type Simulated = { seed: number; tally: Tally; finding: Finding | undefined }

type Work = { bench: Bench; lanes: number; signal: AbortSignal; tell(line: string): void }

/**
 * Looks for every planted bug, or as many as there is time for.
 * @param onHunted told of each bug once it was found or given up
 */
export const huntPlanted = async (
  { bench, seed, lanes, signal, tell }: Work & { seed: number },
  onHunted: (it: Hunted) => void,
): Promise<Hunted[]> => {
  const told = new Set<string>()
  const progress = ({ hunted }: { hunted: Hunted[] }) => {
    for (const it of hunted) if (!told.has(it.name)) onHunted(it)
    for (const it of hunted) told.add(it.name)
    tell(`planted bugs: ${hunted.length} looked for`)
  }
  const reports = await runLanes({ ...bench, seed, lanes, hunts: true, endsAt: 0 }, { progress, signal })
  const hunted = reports.flatMap(it => it.hunted)
  progress({ hunted })
  return hunted
}

/** Honest scenarios of one seed until the time is over, so many faults have come, or one of them breaks something. */
const simulateSeed = async (
  { bench, seed, lanes, signal, tell }: Work & { seed: number },
  { minutes, faults }: Limits,
): Promise<Simulated> => {
  const enough = new AbortController()
  const progress = ({ tally }: { tally: Tally }) => {
    tell(`simulation, seed ${seed}: ${tally.scenarios} scenarios, ${faultsOf(tally)} faults`)
    if (faultsOf(tally) >= faults) enough.abort()
  }
  const work = { ...bench, seed, lanes, hunts: false, endsAt: Date.now() + minutes * 60_000 }
  const reports = await runLanes(work, { progress, signal: AbortSignal.any([signal, enough.signal]) })
  return { seed, tally: sumTallies(reports.map(it => it.tally)), finding: reports.find(it => it.finding)?.finding }
}

/** What all seeds may take together. */
type Limits = { minutes: number; faults: number }

/**
 * One seed after the other, each with an equal share of what is left. A seed that breaks something does not keep the others from
 * being tried.
 * @param onSeed told of each seed once it is over
 */
export const simulate = async (
  { seeds, ...work }: Work & { seeds: number[] },
  { minutes, faults }: Limits,
  onSeed: (it: Simulated) => void,
): Promise<Simulated[]> => {
  const done: Simulated[] = []
  const endsAt = Date.now() + minutes * 60_000
  for (const seed of seeds) {
    if (work.signal.aborted) break
    const left = seeds.length - done.length
    const limits = { minutes: (endsAt - Date.now()) / 60_000 / left, faults: (faults - faultsOf(tallyOf(done))) / left }
    const simulated = await simulateSeed({ ...work, seed }, limits)
    onSeed(simulated)
    done.push(simulated)
  }
  return done
}

/** The sum of all seeds. */
export const tallyOf = (simulated: Simulated[]): Tally =>
  simulated.length === 0 ? emptyTally() : sumTallies(simulated.map(it => it.tally))
