import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits as serviceLimits } from '../../src/domain/limits.ts'
import { periods } from '../../src/domain/money/mandate.ts'
import type { MandateTables } from '../../src/ports.ts'
import { createAside } from '../../src/store/engine/aside.ts'
import type { Sql } from '../../src/store/engine/db.ts'
import { mandateTable } from '../../src/store/money/mandates.ts'
import { openStore } from '../../src/store/store.ts'
import { newMandate, toTake } from './mandateRows.ts'
import { addRun, chainId, newJob as jobOf, user } from './rows.ts'
import { newStoreFile } from './template.ts'

const { reservedMs } = serviceLimits
const interleavings = 10_000

type Hire = { amount: number; end: 'settled' | 'refunded' | 'cancelled' }
type Scenario = {
  maxPerPeriod: number
  maxPerJob: number
  askAbove: number
  hires: Hire[]
  revokes: boolean
  /**
   * The order of steps: a hire draws, opens its job, and ends. Another actor revokes the mandate, and another advances the
   * clock.
   */
  order: number[]
}

const scenarios: fc.Arbitrary<Scenario> = fc.record({
  maxPerPeriod: fc.integer({ min: 2, max: 6 }),
  maxPerJob: fc.integer({ min: 2, max: 4 }),
  askAbove: fc.integer({ min: 1, max: 4 }),
  hires: fc.array(
    fc.record({ amount: fc.integer({ min: 1, max: 4 }), end: fc.constantFrom('settled', 'refunded', 'cancelled') }),
    {
      minLength: 2,
      maxLength: 4,
    },
  ),
  revokes: fc.boolean(),
  order: fc.array(fc.nat({ max: 5 }), { minLength: 6, maxLength: 12 }),
})

const hour = 3_600_000
const halfWindow = periods.day / 2
const over = 3

/** A model of the expected state. It is never read from the store. */
type Books = { drawn: Map<number, { at: number; amount: number }>; opened: Set<number>; isRevoked: boolean; broken: string[] }
type Stage = { tables: MandateTables; sql: Sql; clock: { now: number }; seen: Record<string, number> }

/** Plays one order of steps. Each step is one write of the store. */
const play = async ({ tables, sql, clock, seen }: Stage, name: string, { hires, order, revokes, ...limits }: Scenario) => {
  const { expiresAt } = await tables.addMandate(newMandate({ id: name, limits, expiresAt: clock.now + over * halfWindow + hour }))
  const books: Books = { drawn: new Map(), opened: new Set(), isRevoked: false, broken: [] }
  const isEnded = () => books.isRevoked || clock.now >= expiresAt
  const sum = (of: (hire: number) => boolean) =>
    [...books.drawn].reduce((total, [hire, it]) => (it.at > clock.now - periods.day && of(hire) ? total + it.amount : total), 0)
  const must = (what: string, is: boolean, expected: boolean) => {
    seen[`${what}: ${is}`] = (seen[`${what}: ${is}`] ?? 0) + 1
    if (is !== expected) books.broken.push(`${what} is ${is}`)
  }

  const draw = async (at: number, { amount }: Hire) => {
    await sql(newRun, [`${name}-${at}`, user, chainId])
    // An amount that was reserved this long ago without a hire is available again.
    for (const [hire, it] of books.drawn) if (!books.opened.has(hire) && it.at <= clock.now - reservedMs) books.drawn.delete(hire)
    const fits = amount <= Math.min(limits.maxPerJob, limits.askAbove) && sum(() => true) + amount <= limits.maxPerPeriod
    const { isCovered } = await tables.drawOnMandate(toTake({ mandateId: name, runId: `${name}-${at}`, amount }))
    must('covered', isCovered, fits && !isEnded())
    if (isCovered) books.drawn.set(at, { at: clock.now, amount })
    return isCovered ? 1 : over
  }
  const open = async (at: number) => {
    const isHeld = await tables.lockDrawing(toTake({ mandateId: name, runId: `${name}-${at}` }))
    must('opened', isHeld, !isEnded() && books.drawn.has(at))
    if (!isHeld) books.drawn.delete(at)
    if (!isHeld) return over
    await sql(newJob, [`${name}-${at}`, name])
    books.opened.add(at)
    must('within the period', sum(hire => books.opened.has(hire)) <= limits.maxPerPeriod, true)
    return 2
  }
  const end = async (at: number, { end: state }: Hire) => {
    await sql('update job set state = $2 where run_id = $1', [`${name}-${at}`, state])
    if (state !== 'settled') books.drawn.delete(at)
    return over
  }
  const steps = [draw, open, end]
  const stands = hires.map(() => 0)
  for (const actor of order) {
    const [hire, step] = [hires[actor], steps[stands[actor] ?? over]]
    if (hire && step) stands[actor] = await step(actor, hire)
    else if (actor === 4 && revokes) books.isRevoked = (await tables.revokeMandate(name, user)) !== undefined
    else if (actor === 5) clock.now += halfWindow
  }
  return books.broken
}

const newRun = `insert into run (id, conversation_id, "user", chain_id, task, state, answer, created_at, updated_at)
  values ($1, 'c', $2, $3, 't', 'working', '', 0, 0)`
// Copies the one job that the store wrote itself, because this test is about mandates.
const newJob = `insert into job (id, run_id, agent_id, agent_wallet, chain_id, "user", user_wallet, terms, offering, budget, fee, pickup_by,
  lease_ms, submit_by, evaluate_by, expires_at, mandate_id, state, created_at, updated_at)
  select $1, $1, agent_id, agent_wallet, chain_id, "user", user_wallet, terms, offering, budget, fee, pickup_by, lease_ms, submit_by,
  evaluate_by, expires_at, $2, 'open', created_at, updated_at from job where id = 'template'`

test(`in ${interleavings} orders of hires, ends, revocations and time no mandate is exceeded, and none refuses a hire that fits`, async () => {
  const { place, remove } = await newStoreFile()
  const clock = { now: 1_700_000_000_000 }
  const store = await openStore({ ...place, clock: { now: () => clock.now } })
  await addRun(store, 'run-template')
  await store.addJob(jobOf('run-template', { id: 'template' }))
  const seen: Record<string, number> = {}
  let ran = 0
  await store.db.tx(async sql => {
    const tables = mandateTable({
      read: sql,
      lists: sql,
      run: sql,
      aside: createAside(sql),
      write: work => work({ sql, later: () => undefined, notify: () => undefined }),
    })
    const holds = fc.asyncProperty(scenarios, async it => {
      expect(await play({ tables, sql, clock, seen }, `m${ran++}`, it)).toEqual([])
    })
    await fc.assert(holds, { numRuns: interleavings, endOnFailure: true })
  })
  await store.close()
  await remove()
  process.stdout.write(`mandates: ${ran} interleavings against the store; ${JSON.stringify(seen)}\n`)
  expect(ran).toBeGreaterThanOrEqual(interleavings)
  for (const it of ['covered: true', 'covered: false', 'opened: true', 'opened: false']) expect(seen[it]).toBeGreaterThan(100)
})
