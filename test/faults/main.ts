// The seeded simulation: node test/faults/main.ts --seed N --minutes M [--json] [--reorgs] [--no-planted] [--lanes L] [--scenario K]
import { parseArgs } from 'node:util'
import { type Bench, closeBench, openBench } from './sim/bench.ts'
import { runLanes } from './sim/lanes.ts'
import { toFinding, toHunt, toRecord, toSentence, toTable } from './sim/report.ts'
import { runScenario } from './sim/scenario.ts'
import { catchStrays } from './sim/strays.ts'
import { faultsOf, sumTallies } from './sim/tally.ts'

const { values } = parseArgs({
  allowNegative: true,
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '2' },
    scenario: { type: 'string' },
    reorgs: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: true },
    json: { type: 'boolean', default: false },
  },
})
const [seed, minutes, lanes] = [Number(values.seed), Number(values.minutes), Number(values.lanes)]
const { reorgs } = values

const say = (line: string) => process.stdout.write(`${line}\n`)
const tell = (line: string) => process.stderr.write(`${line}\n`)

/** One scenario again, exactly. */
const repeat = async (bench: Bench, scenario: number): Promise<boolean> => {
  catchStrays()
  const outcome = await runScenario({ ...bench, seed, scenario, reorgs })
  const { violations, trace, steps, jobs } = outcome
  if (violations.length > 0) say(toFinding({ scenario, violations, trace }, { seed, reorgs }))
  say(`${faultsOf(outcome)} faults in ${steps} steps, ${jobs} jobs, ${violations.length} violations`)
  return violations.length === 0
}

/** The planted bugs first, then honest scenarios until the time is over. */
const runAll = async (bench: Bench): Promise<boolean> => {
  const work = { ...bench, seed, lanes, reorgs }
  const hunts = values.planted
    ? await runLanes({ ...work, hunts: true, endsAt: 0 }, it => tell(`${it.hunted.length} planted bugs`))
    : []
  const hunted = hunts.flatMap(it => it.hunted)
  for (const it of hunted) say(toHunt(it))
  const startedAt = Date.now()
  const reports = await runLanes({ ...work, hunts: false, endsAt: startedAt + minutes * 60_000 }, ({ tally }) =>
    tell(`${tally.scenarios} scenarios, ${faultsOf(tally)} faults`),
  )
  const finding = reports.find(it => it.finding)?.finding
  const tally = sumTallies(reports.map(it => it.tally))
  const run = { seed, lanes, reorgs, minutes: (Date.now() - startedAt) / 60_000, tally, hunted }
  say(toTable(tally))
  if (finding) say(toFinding(finding, { seed, reorgs }))
  say(toSentence(run))
  if (values.json) say(JSON.stringify(toRecord(run)))
  return finding === undefined && hunted.every(it => it.scenarios > 0)
}

const bench = await openBench()
try {
  const isClean = values.scenario === undefined ? await runAll(bench) : await repeat(bench, Number(values.scenario))
  process.exitCode = isClean ? 0 : 1
} finally {
  closeBench(bench)
}
