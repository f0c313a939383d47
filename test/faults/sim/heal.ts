import { serve } from './actors/agents.ts'
import type { Agent } from './actors/provider.ts'
import type { User } from './actors/talks.ts'
import { type BookRow, sumsOf } from './books.ts'
import { boundMs, createDueTimes, purchaseMs, stillDue } from './dueWork.ts'
import { falsifyCalls } from './falsified.ts'
import { checkAlways } from './invariants/always.ts'
import { checkBills } from './invariants/bills.ts'
import { checkEnd } from './invariants/end.ts'
import { checkToldMandates } from './invariants/mandates.ts'
import { checkToldCalls } from './invariants/payments.ts'
import { checkToldTrades } from './invariants/trades.ts'
import type { WorkerName } from './process.ts'
import type { Random } from './random.ts'
import { takeStrays } from './strays.ts'
import { settle } from './tasks.ts'
import { clear } from './weather.ts'
import type { World } from './world.ts'

type Healing = { world: World; users: User[]; agents: Agent[]; random: Random }

const eachOnce: WorkerName[] = [
  'pay',
  'facilitate',
  'send',
  'watch',
  'tokens',
  'lapse',
  'expire',
  'end',
  'rate',
  'advance',
  'reindex',
  'learn',
  'refresh',
]
/** Blocks of a minute on a fast chain: more than the check of each minute reads again. */
const blocksOfMinute = 60
/** Workers that run once a minute. */
const seldom: WorkerName[] = ['reconcile', 'claim']

/** Runs every frequent worker once and mines a block, as in an idle second. Once a minute the other workers run too. */
export const turn = async (world: World, isMinute = false): Promise<void> => {
  if (isMinute) for (let block = 0; block < blocksOfMinute; block++) world.ground.chain.mine()
  for (const name of isMinute ? [...eachOnce, ...seldom] : eachOnce) await world.go(world.work(name))
  world.ground.chain.mine()
  world.ground.time.advance(1_000)
}

/** Maximum time in ms until the service is idle after the last fault, deadline or delivery. */
const restMs = 600_000
const maxRounds = 400

type Healed = { recoveryMs: number; violations: string[] }

/**
 * Stops all faults. The service must become idle without help, and every job must end by its deadlines.
 * @returns the longest simulated time in ms for which something was due and not done
 */
export const heal = async (at: Healing): Promise<Healed> => {
  const { world, agents, random } = at
  const { faults, time, trace } = world.ground
  faults.rate = 0
  trace(`heal at ${time.now() % 100_000_000}`)
  clear(at)
  await thaw(world)
  const isServed = random.chance(0.5)
  let recoveryMs = 0
  for (let round = 0; round < maxRounds; round++) {
    const rested = await rest(world)
    recoveryMs = Math.max(recoveryMs, rested.recoveryMs)
    if (rested.disorder) return { recoveryMs, violations: [...checkAlways(world), rested.disorder] }
    if (isServed) for (const agent of agents) await serve({ world, agent })
    const next = nextDeadline(world)
    if (!isOrderly(world)) continue
    if (next === undefined) return { recoveryMs, violations: await checkAll(at) }
    time.advance(Math.max(0, next - time.now()) + 1)
  }
  return { recoveryMs, violations: [`I3 no end after ${maxRounds} rounds: ${describe(world)}`] }
}

const checkAll = async (at: Healing): Promise<string[]> => [
  ...checkAlways(at.world),
  ...checkEnd(at.world),
  ...checkStrays(),
  ...(await checkLast(at)),
]

/** I11: no failure is unhandled. */
const checkStrays = (): string[] => takeStrays().map(it => `I11 a rejection that nobody waited for: ${it}`)

/** Checks of the service itself, once it is idle. */
const checkLast = async ({ world, users }: Healing): Promise<string[]> => [
  ...(await checkToldMandates(world, users)),
  ...(await checkToldTrades(world, users)),
  ...(await checkToldCalls(world)),
  ...(await checkBills(world)),
  ...(await checkRebuild(world)),
  ...(await checkRepair(world)),
]

/** I14: deleting everything derived from the chain and reading it again gives the same states and the same ledger. */
const checkRebuild = async (world: World): Promise<string[]> => {
  const before = fromChain(world)
  await world.process.rebuildChain()
  return toChanges(before, fromChain(world), 'a second reading of the chain changes')
}

/** I14: reading the chain again repairs what the books should never have said about payments. */
const checkRepair = async (world: World): Promise<string[]> => {
  const { logs: _, ...before } = fromChain(world)
  await falsifyCalls(world)
  await world.process.rebuildChain()
  return toChanges(before, fromChain(world), 'reading the chain again does not repair')
}

type Derived = Record<string, BookRow[]>

const toChanges = (before: Derived, after: Derived, words: string): string[] =>
  Object.keys(before).flatMap(name => {
    const [was = [], is = []] = [before[name], after[name]].map(rows => rows?.map(it => JSON.stringify(it)))
    const lost = was.filter(it => !is.includes(it))
    const found = is.filter(it => !was.includes(it))
    return lost.length === 0 && found.length === 0 ? [] : [`I14 ${words} ${name}: ${lost.join()} / ${found.join()}`]
  })

/** Data derived from the chain. Postings are read as balances, because reversed postings may differ. */
const fromChain = ({ books }: World): Derived => ({
  jobs: books.all('select id, state, chain_job_id from job order by id'),
  balances: books.all(`select e.account, p.job_id, sum(cast(e.amount as integer)) as sum from ledger_entry e
    join posting p on p.key = e.posting_key where e.account not like '0x%/%' group by e.account, p.job_id having sum <> 0 order by 1, 2`),
  accounts: [...sumsOf(books)].filter(([, sum]) => sum !== 0n).map(([account, sum]) => ({ account, sum: String(sum) })),
  payouts: books.all(
    `select p.job_id, p.tx_hash from posting p where p.key like 'x402:%' and p.key not like '%:reversed'
     and not exists (select 1 from posting r where r.key = p.key || ':reversed') order by 1`,
  ),
  tokens: books.all('select token, agent_id, tx_hash, block_hash from token order by 1'),
  trades: books.all(
    'select token, trader, side, tokens, amount, reserve, held, tx_hash, block_hash, place from token_trade order by tx_hash, place',
  ),
  events: books.all('select tx_hash, place, block_number, block_hash, chain_job_id, name from chain_event order by 1, 2'),
  logs: books.all('select id, last_seq from run order by id'),
})

const thaw = async (world: World) => {
  while (world.process.life.parked.length > 0) {
    for (const it of [...world.process.life.parked]) it.release()
    await settle()
  }
}

/** A shorter minute for speed: the second of two consecutive checks of a chain has no effect. */
const seldomEvery = 20
/**
 * Turns without due work after which the service counts as idle: more than the confirmations, including a check of every job.
 */
const quietTurns = 6

/** Runs turns until the service is idle, which may get work or reach a deadline at any time. */
const rest = async (world: World): Promise<{ recoveryMs: number; disorder?: string }> => {
  const { time } = world.ground
  const startedAt = time.now()
  const dueTimes = createDueTimes(startedAt)
  let recoveryMs = 0
  for (let turns = 1, quiet = 0; quiet < quietTurns; turns++) {
    await turn(world, quiet === 1 || turns % seldomEvery === 0)
    const now = time.now()
    const due = stillDue(world)
    recoveryMs = Math.max(recoveryMs, dueTimes.note(due, now))
    quiet = due.length === 0 ? quiet + 1 : 0
    if (recoveryMs > boundMs) return { recoveryMs, disorder: `I3 not done for ${boundMs} ms: ${describe(world)}` }
    if (now - startedAt > restMs) return { recoveryMs, disorder: `I3 no rest within ${restMs} ms: ${describe(world)}` }
  }
  return { recoveryMs }
}

const isOrderly = (world: World): boolean => stillDue(world).length === 0

const describe = (world: World) =>
  `${JSON.stringify(world.books.all('select id, state, wake_at, held_until, holds from run where wake_at is not null or held_until is not null'))} now ${world.ground.time.now()} ${stillDue(world).join(', ')}; ${world.books
    .all(`select key, state from intent where state in ('waiting', 'sent')`)
    .map(it => `${it.key} ${it.state}`)
    .join(', ')}; ${world.ground.errors
    .slice(-3)
    .map(it => it.text.slice(0, 200))
    .join(' | ')}`

const hourMs = 3_600_000
/** Checks of one purchase. Later ones are skipped until its authorization expires, a day later if the clock was ahead. */
const maxLooks = 20
const marginMs = 31_000

/** The next time at which an open job can proceed: its lease, submission deadline, expiry or evaluation grace. */
const nextDeadline = ({ books, ground }: World): number | undefined => {
  const now = ground.time.now()
  const open = books.all(`select state, lease_until, submit_by, evaluate_by, expires_at from job
    where state not in ('settled', 'refunded', 'cancelled')`)
  const times = open.flatMap(({ state, lease_until, submit_by, evaluate_by, expires_at }) => {
    const lapses = state === 'leased' ? [Number(lease_until)] : []
    // claimRefund is attempted hourly, after the contract's grace and a margin.
    const claims = [0, 1, 2, 3].map(hours => Number(expires_at) + hours * hourMs + marginMs)
    return [...lapses, Number(submit_by), Number(evaluate_by), Number(expires_at), ...claims]
  })
  const looks = books
    .all('select due_at, tries, valid_before from purchase where due_at is not null')
    .flatMap(it => [
      ...(Number(it.tries) > maxLooks ? [] : [Number(it.due_at) + 1]),
      Number(it.valid_before) * 1_000 + purchaseMs + 1,
    ])
  // An agreed trade without a transaction can be started again until its deadline.
  const trades = books
    .all(
      `select deadline from trade_order o where agreed_at is not null and not exists (select 1 from intent where key = 'trade:' || o.id)`,
    )
    .map(it => Number(it.deadline) + 1)
  const coming = [...times, ...looks, ...trades].filter(it => it > now)
  return coming.length > 0 ? Math.min(...coming) : undefined
}
