import { serve } from './agents.ts'
import { checkAlways } from './invariants/always.ts'
import { checkEnd } from './invariants/end.ts'
import type { WorkerName } from './process.ts'
import type { Agent } from './provider.ts'
import type { Random } from './random.ts'
import { takeStrays } from './strays.ts'
import type { User } from './talks.ts'
import { settle } from './tasks.ts'
import { clear } from './weather.ts'
import type { World } from './world.ts'

type Healing = { world: World; users: User[]; agents: Agent[]; random: Random }

const eachOnce: WorkerName[] = ['send', 'watch', 'lapse', 'expire', 'advance', 'reindex', 'refresh']

/** Every worker once and a block: what a quiet second is. */
export const turn = async (world: World): Promise<void> => {
  for (const name of eachOnce) await world.go(world.work(name))
  world.ground.chain.mine()
  world.ground.time.advance(1_000)
}

/** An orderly state must come within this after the last fault or deadline: the longest hold, twice, and a few blocks. */
const boundMs = 120_000
const mostRounds = 400

/**
 * No more faults: the service must come to rest by itself, and every job to its end by its deadlines.
 * @returns the longest time of the simulated world that it took to be orderly again
 */
export const heal = async (at: Healing): Promise<{ recoveryMs: number; violations: string[] }> => {
  const { world, agents, random } = at
  const { faults, time, trace } = world.ground
  faults.rate = 0
  trace(`heal at ${time.now() % 100_000_000}`)
  clear(at)
  await thaw(world)
  const isServed = random.chance(0.5)
  let since = time.now()
  let recoveryMs = 0
  for (let round = 0; round < mostRounds; round++) {
    await untilStill(world)
    if (isOrderly(world)) {
      recoveryMs = Math.max(recoveryMs, time.now() - since)
      if (isServed) for (const agent of agents) await serve({ world, agent })
      const next = nextDeadline(world)
      if (!isOrderly(world)) continue
      if (next === undefined)
        return {
          recoveryMs,
          violations: [...checkAlways(world), ...checkEnd(world), ...checkStrays(), ...(await checkRescan(world))],
        }
      time.advance(Math.max(0, next - time.now()) + 1)
      since = time.now()
    } else if (time.now() - since > boundMs)
      return {
        recoveryMs,
        violations: [...checkAlways(world), `I3 not orderly ${boundMs} ms after the last fault: ${describe(world)}`],
      }
  }
  return { recoveryMs, violations: [`I3 no end after ${mostRounds} rounds: ${describe(world)}`] }
}

/** I11: what failed was noticed by somebody. */
const checkStrays = (): string[] => takeStrays().map(it => `I11 a rejection that nobody waited for: ${it}`)

/** I14: who reads the chain again from its first block comes to the same states and the same books. */
const checkRescan = async (world: World): Promise<string[]> => {
  const states = () =>
    JSON.stringify([
      world.books.all('select id, state from job order by id'),
      world.books.all('select key from posting order by key'),
      world.books.all('select id, last_seq from run order by id'),
    ])
  const before = states()
  await world.process.forgetCursor()
  await untilStill(world)
  const after = states()
  return before === after ? [] : [`I14 a second reading of the chain changes our books: ${before} / ${after}`]
}

const thaw = async (world: World) => {
  while (world.process.life.parked.length > 0) {
    for (const it of [...world.process.life.parked]) it.release()
    await settle()
  }
}

/** Turns until nobody has written anything. */
const untilStill = async (world: World) => {
  for (let left = 40; left > 0; left--) {
    const before = world.books.version()
    await turn(world)
    if (world.books.version() === before && world.ground.chain.pool.size === 0) return
  }
}

/** What is due by now and not done, by name. */
const due: Record<string, string> = {
  'runs to advance': 'select count(*) as n from run where wake_at is not null or held_until is not null',
  'intents under way': `select count(*) as n from intent where state in ('waiting', 'sent')`,
  'outbox rows': 'select count(*) as n from outbox where done_at is null',
  'leases lapsed': `select count(*) as n from job where state = 'leased' and lease_until < ?1`,
  'jobs overdue': `select count(*) as n from job where state in ('escrowed', 'queued', 'leased') and submit_by < ?1`,
}

const stillDue = ({ books, ground }: World): string[] =>
  Object.entries(due)
    .filter(([, sql]) => Number(books.all(sql, ...(sql.includes('?1') ? [ground.time.now()] : []))[0]?.n) > 0)
    .map(([name]) => name)

const isOrderly = (world: World): boolean => stillDue(world).length === 0

const describe = (world: World) =>
  `${JSON.stringify(world.books.all('select id, state, wake_at, held_until, holds from run where wake_at is not null or held_until is not null'))} now ${world.ground.time.now()} ${stillDue(world).join(', ')}; ${world.books
    .all(`select key, state from intent where state in ('waiting', 'sent')`)
    .map(it => `${it.key} ${it.state}`)
    .join(', ')}; ${world.ground.errors
    .slice(-3)
    .map(it => it.text.slice(0, 200))
    .join(' | ')}`

const nextDeadline = ({ books }: World): number | undefined => {
  const [row] =
    books.all(`select min(case when state = 'leased' then min(lease_until, submit_by) else submit_by end) as at from job
    where state in ('escrowed', 'queued', 'leased')`)
  return typeof row?.at === 'number' ? row.at : undefined
}
