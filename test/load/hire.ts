import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { generatePrivateKey } from 'viem/accounts'
import { createAgent } from '../../src/kit/kit.ts'
import { plain, readRun, talk } from '../hire/market.ts'
import { openUser, type User } from '../service.ts'
import { costOf, crowd, percentile, round } from './measures.ts'
import { startServiceProcess } from './serviceProcess.ts'

type Options = { hires: number; atOnce: number; warmUps: number; profile?: string | undefined; say(line: string): void }

const handle = 'bench-poet'
/** Pause between two polls of the agent, and between two looks of the user at a run. Each costs the service a request. */
const pauseMs = 100
const maxHireMs = 60_000
const idleMs = 5_000

/**
 * Whole hires of one user against one service process on SQLite: message, proposal, yes, poll, deliverable, settlement. Measures
 * the processor time of the service process alone, without its chain node, the agent and the user, and the bytes that stay.
 */
export const benchHire = async ({ hires, atOnce, warmUps, profile, say }: Options) => {
  const market = await startServiceProcess({
    env: { RATE_LIMIT: '0', LOCAL_AGENTS: '' },
    args: profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [],
  })
  const database = new DatabaseSync(join(market.dir, 'market.db'), { readOnly: true })
  const ends: (() => unknown)[] = [() => database.close(), market.stop]
  try {
    const user = await openUser(market.url, join(market.dir, 'bench-user.json'))
    const agent = await startPoet(market.url)
    ends.unshift(agent.stop)
    await crowd({ count: warmUps, atOnce }, () => hire(user))
    const idle = await costOf([market.pid], () => delay(idleMs))
    const before = sizesOf(database)
    say(`${hires} hires, ${atOnce} at once …`)
    const { cpuMs, ms } = await costOf([market.pid], () => crowd({ count: hires, atOnce }, () => hire(user)))
    await delay(1_000) // What is written after the last settlement.
    const kept = growthOf(before, sizesOf(database), hires)
    for (const [table, bytes] of kept.slice(0, 10)) say(`  ${bytes} bytes of ${table}`)
    const calibration = calibrate()
    const cpu_ms_per_hire = round(cpuMs / hires)
    return {
      hires,
      at_once: atOnce,
      cpu_ms_per_hire,
      ratio: round(cpu_ms_per_hire / calibration),
      calibration_ms: round(calibration),
      idle_cpu_ms_per_s: round((1_000 * idle.cpuMs) / idle.ms),
      hires_per_s: round((1_000 * hires) / ms),
      bytes_per_hire: sumOf(kept),
      history_bytes_per_hire: sumOf(kept.filter(([table]) => table.includes('run_step'))),
      peak_rss_mb: await market.peakRssMb(),
    }
  } finally {
    for (const end of ends) await end()
  }
}

const startPoet = (platformUrl: string) =>
  createAgent({
    ...{ handle, name: handle, description: 'Writes haiku.', skills: [], platformUrl, pollPauseMs: pauseMs },
    credential: { privateKey: generatePrivateKey() },
    log: () => undefined,
    offerings: [plain('0.01')],
    handler: async () => 'An old silent pond',
  }).start()

const hire = async (user: User): Promise<void> => {
  const until = performance.now() + maxHireMs
  const { say } = talk(user)
  await say(`Hire agent ${handle} to write a haiku`)
  let { data: run } = await say('yes')
  while ((run.state === 'working' || run.state === 'awaiting-job') && performance.now() < until) {
    await delay(pauseMs)
    run = await readRun(user, run.run_id)
  }
  if (run.job?.state !== 'settled') throw new Error(`A hire of the bench ended ${run.state}: ${run.content}`)
}

/** Processor time in ms of fixed work in this process: JSON and digests. Figures of two machines compare by their ratios to it. */
const calibrate = (): number => {
  const body = { words: Array.from({ length: 200 }, (_, at) => `word ${at}`) }
  const once = () => {
    const { user, system } = process.cpuUsage()
    for (let at = 0; at < 1_000; at += 1) {
      const text = JSON.stringify({ ...body, at })
      createHash('sha256').update(text).digest('hex')
      JSON.parse(text)
    }
    const spent = process.cpuUsage({ user, system })
    return (spent.user + spent.system) / 1_000
  }
  return percentile(Array.from({ length: 9 }, once), 0.5)
}

type Sizes = Map<string, number>

/** Bytes of the rows of each table and index, without free space in their pages. */
const sizesOf = (database: DatabaseSync): Sizes => {
  const rows = database.prepare('select name, sum(payload) as bytes from dbstat group by name').all()
  return new Map(rows.map(row => [String(row.name), Number(row.bytes)]))
}

const sumOf = (kept: [table: string, bytes: number][]): number => kept.reduce((sum, [, bytes]) => sum + bytes, 0)

const growthOf = (before: Sizes, after: Sizes, hires: number): [table: string, bytes: number][] =>
  [...after]
    .map(([table, bytes]): [string, number] => [table, Math.round((bytes - (before.get(table) ?? 0)) / hires)])
    .filter(([, bytes]) => bytes !== 0)
    .sort(([, one], [, other]) => other - one)
