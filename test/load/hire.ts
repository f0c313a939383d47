import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { generatePrivateKey } from 'viem/accounts'
import { createAgent } from '../../src/kit/kit.ts'
import { openSlowLine } from '../faults/processes/slowLine.ts'
import { eventsOf, plain, readRun, talk } from '../hire/market.ts'
import { openUser, type User } from '../service.ts'
import { costOf, crowd, percentile, round } from './measures.ts'
import { startServiceProcess } from './serviceProcess.ts'
import { byPart, mostFrequent, type Parts, type Statement, statementsOf, tapArgs, toLines } from './statements.ts'

type Options = {
  hires: number
  atOnce: number
  warmUps: number
  counted: number
  databaseUrl?: string | undefined
  databaseDelay: number
  profile?: string | undefined
  say(line: string): void
}

const handle = 'bench-poet'
/** Pause between two polls of the agent, and between two looks of the user at a run. Each costs the service a request. */
const pauseMs = 100
const maxHireMs = 60_000
const idleMs = 5_000
/** What is written after the last settlement takes at most this long. */
const afterMs = 1_500
const shownStatements = 70
const masterKey = 'be'.repeat(32)

/**
 * Whole hires of one user against one service process on SQLite or PostgreSQL: message, proposal, yes, poll, deliverable,
 * settlement. Measures the processor time of the service process alone, without its chain node, the agent and the user, the bytes
 * that stay, and the statements of hires one at a time.
 */
export const benchHire = async ({ hires, atOnce, warmUps, counted, profile, say, ...place }: Options) => {
  const ends: (() => unknown)[] = []
  const line = place.databaseUrl ? await openSlowLine(place.databaseUrl, place.databaseDelay) : undefined
  if (line) ends.unshift(line.stop)
  const market = await startServiceProcess({
    env: { RATE_LIMIT: '0', LOCAL_AGENTS: '', ...(line && { DATABASE_URL: line.url, MASTER_KEY: masterKey }) },
    args: [...tapArgs, ...(profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [])],
  })
  ends.unshift(market.stop)
  const database = line ? undefined : new DatabaseSync(join(market.dir, 'market.db'), { readOnly: true })
  if (database) ends.unshift(() => database.close())
  try {
    const user = await openUser(market.url, join(market.dir, 'bench-user.json'))
    const agent = await startPoet(market.url)
    ends.unshift(agent.stop)
    await crowd({ count: warmUps, atOnce }, () => hire(user))
    const idle = await costOf([market.pid], () => delay(idleMs))
    const before = database && sizesOf(database)
    say(`${hires} hires, ${atOnce} at once …`)
    const { cpuMs, ms } = await costOf([market.pid], () => crowd({ count: hires, atOnce }, () => hire(user)))
    await delay(afterMs)
    const kept = database && before && growthOf(before, sizesOf(database), hires)
    for (const [table, bytes] of kept?.slice(0, 10) ?? []) say(`  ${bytes} bytes of ${table}`)
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
      ...(kept && {
        bytes_per_hire: sumOf(kept),
        history_bytes_per_hire: sumOf(kept.filter(([table]) => table.includes('run_step'))),
      }),
      peak_rss_mb: await market.peakRssMb(),
      ...(await countStatements({ child: market.child, user, counted, say })),
    }
  } finally {
    for (const end of ends) await end()
  }
}

type Counting = { child: Parameters<typeof statementsOf>[0]; user: User; counted: number; say(line: string): void }

/** The statements of hires one at a time. What the workers ask meanwhile is among them; `idle_statements_per_s` is only that. */
const countStatements = async ({ child, user, counted, say }: Counting) => {
  const idle = await statementsOf(child, () => delay(idleMs))
  say('Idle, in a second:')
  for (const text of mostFrequent(idle, idleMs / 1_000).slice(0, shownStatements)) say(text)
  say('In a hire:')
  const hires: Parts[] = []
  const statements = await statementsOf(child, async () => {
    for (let at = 0; at < counted; at += 1) hires.push(await watchHire(user))
  })
  const isOfHire = ({ from }: Statement) => hires.some(it => from >= (it.turn ?? 0) && from < (it.after ?? 0))
  for (const text of mostFrequent(statements.filter(isOfHire), counted).slice(0, shownStatements)) say(text)
  const parts = byPart(statements, hires)
  const last = hires.at(-1)
  say('In order, in the last hire; those with a number waited for the one before:')
  for (const line of toLines(statements.filter(it => it.from >= (last?.turn ?? 0) && it.from < (last?.after ?? 0)))) say(line)
  // Until the hire is settled.
  const { after: _, ...own } = parts
  const sum = (of: 'statements' | 'in_a_row') => round(Object.values(own).reduce((total, it) => total + it[of], 0))
  const seconds = hires.map(it => ((it.after ?? 0) - (it.turn ?? 0)) / 1_000)
  return {
    statements_per_hire: sum('statements'),
    round_trips_in_a_row: sum('in_a_row'),
    seconds_per_hire: round(percentile(seconds, 0.5)),
    idle_statements_per_s: round((1_000 * idle.length) / idleMs),
    parts,
  }
}

/** One hire, whose user waits for each answer instead of polling, and when its parts began. */
const watchHire = async (user: User): Promise<Parts> => {
  const turn = Date.now()
  const { say } = talk(user)
  await say(`Hire agent ${handle} to write a haiku`)
  const yes = Date.now()
  const { data: run } = await say('yes')
  const after = Date.now()
  if (run.job?.state !== 'settled') throw new Error(`A hire of the bench ended ${run.state}: ${run.content}`)
  await delay(afterMs)
  const end = Date.now()
  const times = new Map((await eventsOf(user, run.run_id)).map(it => [it.type, Date.parse(it.timestamp)]))
  const at = (kind: Parameters<typeof times.get>[0]) => times.get(kind) ?? Number.NaN
  return { turn, yes, escrow: at('job.open'), delivery: at('job.queued'), settle: at('job.submitted'), after, end }
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
