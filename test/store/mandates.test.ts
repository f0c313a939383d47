import fc from 'fast-check'
import { expect, test } from 'vitest'
import { periods } from '../../src/domain/mandate.ts'
import type { Tables } from '../../src/ports.ts'
import { openStore } from '../../src/store/store.ts'
import { newMandate, toTake } from './mandateRows.ts'
import { addRun, newJob } from './rows.ts'
import { newFile } from './spot.ts'

const interleavings = 10_000

type Hire = { amount: number; end: 'settle' | 'refund' | 'cancel' }
type Scenario = {
  maxPerPeriod: number
  maxPerJob: number
  askAbove: number
  hires: Hire[]
  revokes: boolean
  /** Whose next step comes next: a hire draws, opens its job, and ends; another actor revokes; another lets time pass. */
  order: number[]
}

const scenarios: fc.Arbitrary<Scenario> = fc.record({
  maxPerPeriod: fc.integer({ min: 2, max: 6 }),
  maxPerJob: fc.integer({ min: 2, max: 4 }),
  askAbove: fc.integer({ min: 1, max: 4 }),
  hires: fc.array(fc.record({ amount: fc.integer({ min: 1, max: 4 }), end: fc.constantFrom('settle', 'refund', 'cancel') }), {
    minLength: 2,
    maxLength: 4,
  }),
  revokes: fc.boolean(),
  order: fc.array(fc.nat({ max: 5 }), { minLength: 6, maxLength: 12 }),
})

/** What may be true at any moment, written down beside the store and never read from it. */
type Books = { drawn: Map<number, { at: number; amount: number }>; opened: Set<number>; revoked: boolean }

let clockNow = 1_700_000_000_000
const passMs = periods.day / 2

/** Plays one order of steps against the store, and says what broke. */
const play = async (tables: Tables, { hires, order, revokes, ...limits }: Scenario, name: string): Promise<string[]> => {
  const mandate = await tables.addMandate(newMandate({ id: name, limits, expiresAt: clockNow + 3 * passMs }))
  const books: Books = { drawn: new Map(), opened: new Set(), revoked: false }
  const steps = hires.map(() => 0)
  const broken: string[] = []
  const inWindow = () => [...books.drawn].filter(([, it]) => it.at > clockNow - periods.day)
  const sum = (of: [number, { amount: number }][]) => of.reduce((total, [, it]) => total + it.amount, 0)
  const ends = () => books.revoked || clockNow >= mandate.expiresAt

  const draw = async (at: number, hire: Hire) => {
    const runId = `${name}-${at}`
    await addRun(tables, runId)
    const fits =
      !ends() && hire.amount <= Math.min(limits.maxPerJob, limits.askAbove) && sum(inWindow()) + hire.amount <= limits.maxPerPeriod
    const drawn = await tables.drawOnMandate(toTake({ mandateId: name, runId, amount: hire.amount }))
    if (drawn.isCovered !== fits) broken.push(`drawn ${drawn.isCovered}, should be ${fits}`)
    if (drawn.isCovered) books.drawn.set(at, { at: clockNow, amount: hire.amount })
    return drawn.isCovered ? 1 : 3
  }
  const open = async (at: number) => {
    const runId = `${name}-${at}`
    const isHeld = await tables.holdDrawing(runId, 'terms')
    if (isHeld === ends()) broken.push(`held ${isHeld} while ended is ${ends()}`)
    if (!isHeld) {
      books.drawn.delete(at)
      return 3
    }
    await tables.addJob({ ...newJob(runId), mandateId: name })
    books.opened.add(at)
    if (sum(inWindow().filter(([hire]) => books.opened.has(hire))) > limits.maxPerPeriod) broken.push('more than the period')
    return 2
  }
  const end = async (at: number, { end: how }: Hire) => {
    const id = `job-of-${name}-${at}`
    if (how === 'settle') return 3
    await tables.moveJob(id, 'cancel')
    if (how === 'refund') for (const event of ['fund', 'refund'] as const) await tables.moveJob(id, event, onChain(name, at))
    books.drawn.delete(at)
    return 3
  }

  for (const actor of order) {
    const hire = hires[actor]
    const step = steps[actor]
    if (hire && step !== undefined && step < 3)
      steps[actor] = step === 0 ? await draw(actor, hire) : step === 1 ? await open(actor) : await end(actor, hire)
    else if (actor === 4 && revokes) books.revoked = (await tables.revokeMandate(name, mandate.user)) !== undefined
    else if (actor === 5) clockNow += passMs
  }
  return broken
}

let jobs = 0n
const onChain = (_name: string, _at: number) => ({ chainJobId: ++jobs })

test(`in ${interleavings} orders of hires, ends, revocations and time no mandate is exceeded, and none refuses what fits`, async () => {
  const { place, remove } = await newFile()
  const store = await openStore({ ...place, clock: { now: () => clockNow } })
  let ran = 0
  const outcomes = { covered: 0, refused: 0 }
  await store
    .atomically(async tables => {
      await fc.assert(
        fc.asyncProperty(scenarios, async scenario => {
          expect(await play(tables, scenario, `m${ran++}`)).toEqual([])
        }),
        { numRuns: interleavings, seed: 56 },
      )
    })
    .finally(store.close)
  await remove()
  process.stdout.write(`mandates: ${ran} interleavings against the store\n`)
  expect(ran).toBeGreaterThanOrEqual(interleavings)
  expect(outcomes).toBeDefined()
})
