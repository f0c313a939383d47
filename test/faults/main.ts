import { print as say } from '../command.ts'
import { runFailover } from './failover/failover.ts'
import { readOptions } from './options.ts'
import { processFaults, runProcessFaults } from './processes/processFaults.ts'
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
import { closeBench, openBench } from './sim/bench.ts'
import { runScenario } from './sim/scenario.ts'
import { catchStrays } from './sim/strays.ts'
import { faultsOf } from './sim/tally.ts'
import { huntPlanted, simulate } from './simulation.ts'
import { runUpgrades } from './upgrade/upgrade.ts'

const options = readOptions()
const { seeds, lanes } = options
/** Planted bugs, kills and repeated scenarios use only one seed. */
const [seed = 0] = seeds
const tell = (line: string) => process.stderr.write(`${line}\n`)

const stopping = new AbortController()
process.on('SIGINT', () => stopping.abort())
const { signal } = stopping

/** Repeats one scenario exactly. */
const repeat = async (scenario: number): Promise<boolean> => {
  catchStrays()
  const outcome = await runScenario({ ...bench, seed, scenario, ...(options.plans && { plans: true }) })
  const { violations, trace, steps, jobs, plans } = outcome
  if (violations.length > 0) say(toFinding({ scenario, violations, trace }, seed, options.plans))
  say(`${faultsOf(outcome)} faults in ${steps} steps, ${jobs} jobs, ${plans} plans, ${violations.length} violations`)
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
  if (options.json) say(JSON.stringify(toProcessRecord(processes, tally, recovered)))
  return tally.violations.length === 0
}

/** Upgrades from earlier commits, and goes back. */
const runUpgrade = async (commits: string[]): Promise<boolean> => {
  catchStrays()
  const upgrades = await runUpgrades(commits, { signal, tell: say })
  if (options.json) say(JSON.stringify({ upgrades }))
  return upgrades.every(it => it.violations === 0)
}

/** Fails over a cluster of PostgreSQL servers. */
const runCluster = async (): Promise<boolean> => {
  catchStrays()
  const record = await runFailover({ signal, tell: say })
  if (options.json) say(JSON.stringify(record))
  return record.violations === 0
}

/** Runs the planted bugs first, then real processes and a real chain, then scenarios without planted bugs. */
const runAll = async (): Promise<boolean> => {
  const startedAt = Date.now()
  const work = { bench, lanes, signal, tell, plans: options.plans }
  say(`seeds ${seeds.join(', ')}`)
  const hunted =
    options.planted === false ? [] : await huntPlanted({ ...work, seed, hunts: options.planted ?? '' }, it => say(toHunt(it)))
  const counts = { kills: options.kills, chainFaults: options.chainFaults }
  const progress = (it: Parameters<typeof toProgress>[0]) => tell(`real: ${toProgress(it)}`)
  const isReal = options.real && !signal.aborted
  const real = isReal ? await runReal({ seed, ...counts, signal, progress }) : emptyRealTally()
  const simulated = options.sim ? await simulate({ ...work, seeds }, options, it => say(toSeedLine(it))) : []
  const run: Run = { seeds, lanes, minutes: (Date.now() - startedAt) / 60_000, hunted, simulated, real }
  say(toTable(run))
  for (const it of real.violations) say(`VIOLATION ${it}`)
  for (const it of simulated) if (it.finding) say(toFinding(it.finding, it.seed, options.plans))
  say(toSentence(run))
  if (options.json) say(JSON.stringify(toRecord(run)))
  return real.violations.length === 0 && simulated.every(it => !it.finding) && hunted.every(it => it.scenarios > 0)
}

const bench = await openBench()
process.once('exit', () => closeBench(bench))
const { processes, scenario, upgrade, failover } = options
const run = () => (scenario === undefined ? runAll() : repeat(scenario))
const runShared = () => (failover ? runCluster() : processes > 1 ? runProcesses(processes) : run())
const isClean = await (upgrade ? runUpgrade(upgrade === true ? [] : upgrade) : runShared())
// Ends threads that are still running.
process.exit(isClean ? 0 : 1)
