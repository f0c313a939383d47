// npm run fault -- [--seeds S | --seed N ...] [--minutes M] [--faults F] [--kills K] [--chain-faults C] [--json] [--lanes L]
//   [--no-planted] [--no-sim] [--no-real] [--scenario K] [--processes N]
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { runReal } from './real/real.ts'
import { emptyRealTally, toProgress } from './real/tally.ts'
import {
  type Run,
  toFinding,
  toHunt,
  toProcessRecord,
  toProcessSentence,
  toRecord,
  toSeedLine,
  toSentence,
  toTable,
} from './report.ts'
import { processFaults, runProcessFaults } from './shared/processFaults.ts'
import { closeBench, openBench } from './sim/bench.ts'
import { runScenario } from './sim/scenario.ts'
import { catchStrays } from './sim/strays.ts'
import { faultsOf } from './sim/tally.ts'
import { huntPlanted, simulate } from './simulation.ts'

const text = (fallback: string) => ({ type: 'string', default: fallback }) as const
const flag = (fallback: boolean) => ({ type: 'boolean', default: fallback }) as const

const { values } = parseArgs({
  allowNegative: true,
  options: {
    seed: { type: 'string', multiple: true },
    seeds: text('1'),
    minutes: { type: 'string' },
    faults: { type: 'string' },
    kills: text('60'),
    'chain-faults': text('42'),
    lanes: text('2'),
    scenario: { type: 'string' },
    processes: text('1'),
    planted: flag(true),
    sim: flag(true),
    real: flag(true),
    json: flag(false),
  },
})
const lanes = Number(values.lanes)
const maxSeed = 2 ** 32
/** The given seeds, or random ones. */
const seeds = values.seed?.map(Number) ?? Array.from({ length: Number(values.seeds) }, () => randomInt(maxSeed))
/** Planted bugs, kills and repeated scenarios use only one seed. */
const [seed = 0] = seeds
if (values.scenario !== undefined && values.seed === undefined) throw new Error('--scenario repeats a life of --seed N: name it')
/** A given time limit is used in full. Without one the run stays short. */
const limits = {
  minutes: Number(values.minutes ?? 6),
  faults: Number(values.faults ?? (values.minutes === undefined ? 200_000 : Number.POSITIVE_INFINITY)),
}

const say = (line: string) => process.stdout.write(`${line}\n`)
const tell = (line: string) => process.stderr.write(`${line}\n`)

const stopping = new AbortController()
process.on('SIGINT', () => stopping.abort())
const { signal } = stopping

/** Repeats one scenario exactly. */
const repeat = async (scenario: number): Promise<boolean> => {
  catchStrays()
  const outcome = await runScenario({ ...bench, seed, scenario })
  const { violations, trace, steps, jobs } = outcome
  if (violations.length > 0) say(toFinding({ scenario, violations, trace }, seed))
  say(`${faultsOf(outcome)} faults in ${steps} steps, ${jobs} jobs, ${violations.length} violations`)
  return violations.length === 0
}

const durations = { stoppedMs: 30_000, databaseMs: 8_000, chainMs: 120_000 }

/** Strikes several processes on one PostgreSQL server, and prints how long the hires took that each fault met. */
const runProcesses = async (processes: number): Promise<boolean> => {
  catchStrays()
  const tally = emptyRealTally()
  say(`${processes} processes on one PostgreSQL server; time from the fault's begin until all hires had ended:`)
  const recovered = await runProcessFaults({ processes, faults: processFaults, durations, signal, tell: say }, tally)
  for (const it of tally.violations) say(`VIOLATION ${it}`)
  say(toProcessSentence(processes, tally))
  if (values.json) say(JSON.stringify(toProcessRecord(processes, tally, recovered)))
  return tally.violations.length === 0
}

/** Runs the planted bugs first, then real processes and a real chain, then scenarios without planted bugs. */
const runAll = async (): Promise<boolean> => {
  const startedAt = Date.now()
  const work = { bench, lanes, signal, tell }
  say(`seeds ${seeds.join(', ')}`)
  const hunted = values.planted ? await huntPlanted({ ...work, seed }, it => say(toHunt(it))) : []
  const counts = { kills: Number(values.kills), chainFaults: Number(values['chain-faults']) }
  const progress = (it: Parameters<typeof toProgress>[0]) => tell(`real: ${toProgress(it)}`)
  const isReal = values.real && !signal.aborted
  const real = isReal ? await runReal({ seed, ...counts, signal, progress }) : emptyRealTally()
  const simulated = values.sim ? await simulate({ ...work, seeds }, limits, it => say(toSeedLine(it))) : []
  const run: Run = { seeds, lanes, minutes: (Date.now() - startedAt) / 60_000, hunted, simulated, real }
  say(toTable(run))
  for (const it of real.violations) say(`VIOLATION ${it}`)
  for (const it of simulated) if (it.finding) say(toFinding(it.finding, it.seed))
  say(toSentence(run))
  if (values.json) say(JSON.stringify(toRecord(run)))
  return real.violations.length === 0 && simulated.every(it => !it.finding) && hunted.every(it => it.scenarios > 0)
}

const bench = await openBench()
process.once('exit', () => closeBench(bench))
const run = () => (values.scenario === undefined ? runAll() : repeat(Number(values.scenario)))
const processes = Number(values.processes)
const isClean = await (processes > 1 ? runProcesses(processes) : run())
// Ends threads that are still running.
process.exit(isClean ? 0 : 1)
