import type { Bench } from './sim/bench.ts'
import { runLanes } from './sim/lanes.ts'
import type { Finding, Hunted } from './sim/laneWork.ts'
import { emptyTally, faultsOf, sumTallies, type Tally } from './sim/tally.ts'

/** The result of one seed. */
export type Simulated = { seed: number; tally: Tally; finding: Finding | undefined }

type Work = { bench: Bench; lanes: number; plans: boolean; signal: AbortSignal; tell(line: string): void }

/**
 * Searches for every planted bug with these words in its name, or as many as there is time for.
 * @param onHunted called for each bug that was found or abandoned
 */
export const huntPlanted = async (
  { bench, seed, lanes, plans, hunts, signal, tell }: Work & { seed: number; hunts: string },
  onHunted: (it: Hunted) => void,
): Promise<Hunted[]> => {
  const told = new Set<string>()
  const progress = ({ hunted }: { hunted: Hunted[] }) => {
    for (const it of hunted) if (!told.has(it.name)) onHunted(it)
    for (const it of hunted) told.add(it.name)
    tell(`planted bugs: ${hunted.length} looked for`)
  }
  const reports = await runLanes({ ...bench, seed, lanes, plans, hunts, endsAt: 0 }, { progress, signal })
  const hunted = reports.flatMap(it => it.hunted)
  if (hunted.length === 0) throw new Error(`No planted bug has the words "${hunts}" in its name.`)
  progress({ hunted })
  return hunted
}

/** Runs scenarios of one seed until the time is over, enough faults have occurred, or one has a violation. */
const simulateSeed = async (
  { bench, seed, lanes, plans, signal, tell }: Work & { seed: number },
  { minutes, faults }: Limits,
): Promise<Simulated> => {
  const enough = new AbortController()
  const progress = ({ tally }: { tally: Tally }) => {
    tell(`simulation, seed ${seed}: ${tally.scenarios} scenarios, ${faultsOf(tally)} faults`)
    if (faultsOf(tally) >= faults) enough.abort()
  }
  const work = { ...bench, seed, lanes, plans, endsAt: Date.now() + minutes * 60_000 }
  const reports = await runLanes(work, { progress, signal: AbortSignal.any([signal, enough.signal]) })
  return { seed, tally: sumTallies(reports.map(it => it.tally)), finding: reports.find(it => it.finding)?.finding }
}

/** Limits of all seeds together. */
type Limits = { minutes: number; faults: number }

/**
 * Runs one seed after another, each with an equal share of the remaining time. A seed with a violation does not prevent the
 * others.
 * @param onSeed called after each seed
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
