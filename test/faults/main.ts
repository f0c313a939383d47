// The seeded simulation. Usage: node test/faults/main.ts --seed N --minutes M [--json] [--reorgs] [--lanes L] [--scenario K]
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { closeBench, openBench } from './sim/bench.ts'
import type { Finding, LaneReport, LaneWork } from './sim/lane.ts'
import { type Run, toRecord, toSentence, toTable } from './sim/report.ts'
import { runScenario } from './sim/scenario.ts'
import { catchStrays } from './sim/strays.ts'
import { emptyTally, faultsOf, sumTallies } from './sim/tally.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '2' },
    scenario: { type: 'string' },
    reorgs: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
const [seed, minutes, lanes] = [Number(values.seed), Number(values.minutes), Number(values.lanes)]
const { reorgs } = values

const say = (line: string) => process.stdout.write(`${line}\n`)

const traceLines = 40

const showFinding = ({ scenario, violations, trace }: Finding) => {
  for (const line of trace.slice(-traceLines)) say(line)
  for (const violation of violations) say(`VIOLATION ${violation}`)
  say(`Repeat: npm run fault -- --seed ${seed} --scenario ${scenario}${reorgs ? ' --reorgs' : ''}`)
}

/** One scenario again, exactly. */
const repeat = async (scenario: number): Promise<boolean> => {
  catchStrays()
  const bench = await openBench()
  const outcome = await runScenario({ ...bench, seed, scenario, reorgs })
  closeBench(bench)
  if (outcome.violations.length > 0) showFinding({ scenario, ...outcome })
  say(`${faultsOf(outcome)} faults in ${outcome.steps} steps, ${outcome.jobs} jobs, ${outcome.violations.length} violations`)
  return outcome.violations.length === 0
}

type Part = Pick<LaneWork, 'endsAt' | 'hunts'>

/** All lanes side by side; the first finding ends them. */
const runLanes = async (part: Part): Promise<{ reports: LaneReport[]; finding: Finding | undefined }> => {
  const latest = new Map<number, LaneReport>()
  const workers = Array.from({ length: lanes }, (_, lane) => {
    const workerData: LaneWork = { seed, lane, lanes, reorgs, ...part }
    return new Worker(new URL('./sim/lane.ts', import.meta.url), { workerData })
  })
  const ends = workers.map(
    (worker, lane) =>
      new Promise<void>((resolve, reject) => {
        worker.on('message', (report: LaneReport) => {
          latest.set(lane, report)
          if (report.finding) for (const other of workers) if (other !== worker) void other.terminate()
        })
        worker.on('error', reject)
        worker.on('exit', () => resolve())
      }),
  )
  const progress = setInterval(() => {
    const { scenarios, ...tally } = sumTallies([...latest.values()].map(it => it.tally))
    if (!part.hunts) process.stderr.write(`${scenarios} scenarios, ${faultsOf(tally)} faults\n`)
  }, 10_000)
  await Promise.all(ends).finally(() => clearInterval(progress))
  const reports = [...latest.values()]
  return { reports, finding: reports.find(it => it.finding)?.finding }
}

const runAll = async (): Promise<boolean> => {
  const startedAt = Date.now()
  const endsAt = startedAt + minutes * 60_000
  const { reports: hunts } = await runLanes({ endsAt, hunts: true })
  const hunted = hunts.flatMap(it => it.hunted)
  for (const it of hunted)
    say(`planted: ${it.name} (without ${it.without}): ${it.scenarios ? `found after ${it.scenarios} scenarios` : 'NOT FOUND'}`)
  const { reports, finding } = await runLanes({ endsAt, hunts: false })
  const tally = reports.length > 0 ? sumTallies(reports.map(it => it.tally)) : emptyTally()
  const run: Run = { seed, lanes, reorgs, minutes: (Date.now() - startedAt) / 60_000, tally, hunted }
  say(toTable(tally))
  if (finding) showFinding(finding)
  say(toSentence(run))
  if (values.json) say(JSON.stringify(toRecord(run)))
  return finding === undefined && hunted.every(it => it.scenarios > 0)
}

const isClean = values.scenario === undefined ? await runAll() : await repeat(Number(values.scenario))
process.exitCode = isClean ? 0 : 1
