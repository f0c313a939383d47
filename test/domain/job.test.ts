import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  causes,
  deliverableFor,
  isDelivered,
  isFinal,
  isJobState,
  isUndoing,
  type JobEvent,
  type JobState,
  jobStates,
  moves,
  next,
  sourcesOf,
  toJobKind,
} from '../../src/domain/jobs/job.ts'

const isEvent = (text: string): text is JobEvent => Object.hasOwn(causes, text)
const events = Object.keys(causes).filter(isEvent)

/** Every pair of a state and an event, written by hand, so that no move changes unintentionally. */
const pairs = `
          | fund      | cancel    | queue  | lease  | submit    | lapse  | requeue | fail     | refuse   | accept   | revise | reject   | waive    | recall   | withdraw | expire  | confirm | refund   | unfund    | unpay    | unrefund
open      | escrowed  | cancelled | -      | -      | -         | -      | -       | -        | -        | -        | -      | -        | -        | -        | -        | -       | -       | -        | -         | -        | -
escrowed  | -         | -         | queued | -      | -         | -      | -       | -        | -        | -        | -      | -        | -        | -        | expired  | expired | settled | -        | open      | -        | -
queued    | queued    | cancelled | -      | leased | submitted | -      | -       | -        | -        | -        | -      | -        | settling | -        | expired  | expired | settled | -        | open      | -        | -
leased    | leased    | cancelled | -      | -      | submitted | queued | queued  | rejected | rejected | -        | -      | -        | settling | -        | -        | expired | settled | -        | leased    | -        | -
submitted | submitted | cancelled | -      | -      | -         | -      | -       | -        | -        | settling | queued | rejected | -        | settling | -        | -       | settled | refunded | submitted | -        | -
settling  | settling  | cancelled | -      | -      | -         | -      | -       | -        | -        | -        | -      | -        | -        | -        | -        | -       | settled | refunded | settling  | -        | -
rejected  | rejected  | cancelled | -      | -      | -         | -      | -       | -        | -        | -        | -      | -        | -        | -        | -        | -       | -       | refunded | rejected  | -        | -
expired   | expired   | cancelled | -      | -      | -         | -      | -       | -        | -        | -        | -      | -        | -        | -        | -        | -       | settled | refunded | expired   | -        | -
settled   | -         | -         | -      | -      | -         | -      | -       | -        | -        | -        | -      | -        | -        | -        | -        | -       | -       | -        | -         | settling | -
refunded  | -         | -         | -      | -      | -         | -      | -       | -        | -        | -        | -      | -        | -        | -        | -        | -       | -       | -        | -         | -        | expired
cancelled | expired   | -         | -      | -      | -         | -      | -       | -        | -        | -        | -      | -        | -        | -        | -        | -       | -       | -        | -         | -        | -`

const [head = [], ...rows] = pairs
  .trim()
  .split('\n')
  .map(line => line.split('|').map(cell => cell.trim()))
const columns = head.filter(Boolean)
const cells = rows.flatMap(([state = '', ...targets]) => targets.map((to, at) => ({ state, event: columns[at] ?? '', to })))

test('the fixture has every pair of state and event', () => {
  expect(rows.map(([state]) => state)).toEqual(jobStates)
  expect(columns).toEqual(events)
  expect(cells).toHaveLength(jobStates.length * events.length)
})

test.each(cells)('$state, $event: $to', ({ state, event, to }) => {
  expect(isJobState(state) && isEvent(event) && (next(state, event) ?? '-')).toBe(to)
})

const funding: readonly JobEvent[] = ['fund', 'cancel']

/**
 * Applies events under the rules of the store: a funded job cannot be funded or cancelled, and only a funded job can lose its
 * funding.
 */
const walk = (order: JobEvent[]): { path: JobState[]; happened: JobEvent[] } => {
  const path: JobState[] = ['open']
  const happened: JobEvent[] = []
  let isFunded = false
  for (const event of order) {
    const to = next(path.at(-1) ?? 'open', event)
    if (!to || (isFunded && funding.includes(event)) || (!isFunded && event === 'unfund')) continue
    if (event === 'fund' || event === 'unfund') isFunded = event === 'fund'
    path.push(to)
    happened.push(event)
  }
  return { path, happened }
}

// Sequences of mostly possible events, so that they reach late states.
const orders = fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 60 }).map(draws => {
  const order: JobEvent[] = []
  for (const [draw, isAny] of draws) {
    const { path } = walk(order)
    const possible = events.filter(event => next(path.at(-1) ?? 'open', event))
    const from = isAny || possible.length === 0 ? events : possible
    order.push(from[draw % from.length] ?? 'fund')
  }
  return order
})

// One path to each end, so that every end is tested whatever is generated.
const lives: JobEvent[][] = [
  ['fund', 'queue', 'lease', 'submit', 'accept', 'confirm', 'refund'],
  ['fund', 'queue', 'lease', 'lapse', 'expire', 'refund', 'confirm'],
  ['cancel', 'fund', 'confirm'],
]

const countOf = (happened: JobEvent[], event: JobEvent) => happened.filter(it => it === event).length

test('only the chain leads out of a final state, and money leaves the escrow once for each time it entered', () => {
  const ends = new Set<JobState>()
  fc.assert(
    fc.property(orders, order => {
      const { path, happened } = walk(order)
      happened.forEach((event, at) => {
        if (isFinal(path[at] ?? 'open')) expect(isUndoing(event) || event === 'fund').toBe(true)
      })
      const [held, paid, returned] = [
        countOf(happened, 'fund') - countOf(happened, 'unfund'),
        countOf(happened, 'confirm') - countOf(happened, 'unpay'),
        countOf(happened, 'refund') - countOf(happened, 'unrefund'),
      ]
      const end = path.at(-1) ?? 'open'
      ends.add(end)
      // The money is where the final state says.
      expect([paid, returned]).toEqual([end === 'settled' ? 1 : 0, end === 'refunded' ? 1 : 0])
      expect([0, 1]).toContain(held)
      if (end === 'open' || end === 'cancelled') expect(held).toBe(0)
    }),
    { numRuns: 400, examples: lives.map(life => [life]) },
  )
  expect([...ends]).toEqual(expect.arrayContaining(['settled', 'refunded', 'cancelled']))
})

test('every state that is not final can reach a final one, and every state can be reached', () => {
  const reach = (from: JobState, seen = new Set<JobState>()): Set<JobState> => {
    if (seen.has(from)) return seen
    seen.add(from)
    for (const to of Object.values(moves[from])) reach(to, seen)
    return seen
  }
  for (const state of jobStates) expect([...reach(state)].some(isFinal), state).toBe(true)
  expect([...reach('open')].sort()).toEqual([...jobStates].sort())
})

test('every state with money in escrow can lead to its return', () => {
  for (const state of jobStates.filter(it => !isFinal(it) && it !== 'open')) {
    const back = ['expire', 'refund'].filter(isEvent).some(event => next(state, event))
    expect(back, state).toBe(true)
  }
})

test('the sources of an event are exactly the states it leads out of, and each event has a cause in words', () => {
  for (const event of events) {
    expect(sourcesOf(event)).toEqual(jobStates.filter(state => next(state, event)))
    expect(causes[event].length).toBeGreaterThan(5)
  }
})

test('names of Object.prototype members are not states', () => {
  for (const name of ['constructor', 'toString', '__proto__', '', 'Open']) expect(isJobState(name)).toBe(false)
})

test('the butler continues after a deliverable and after every end', () => {
  expect(jobStates.filter(it => !isDelivered(it))).toEqual(['open', 'escrowed', 'queued', 'leased'])
})

test.each([
  { budget: 5n, total: '0.000005', kind: 'hire' },
  { budget: 0n, total: '0.000005', kind: 'paid-call' },
  { budget: 0n, total: '0', kind: 'free' },
])('a job whose escrow shall hold $budget at a price of $total is of kind $kind', ({ budget, total, kind }) => {
  expect(toJobKind({ budget, terms: { total } })).toBe(kind)
})

test.each([
  { kind: 'paid-call', chainJobId: undefined, shown: false },
  { kind: 'hire', chainJobId: undefined, shown: false },
  { kind: 'hire', chainJobId: 7n, shown: true },
  { kind: 'free', chainJobId: undefined, shown: true },
] as const)('the deliverable of a $kind is withheld until its price is secured ($chainJobId)', ({ shown, ...job }) => {
  expect(deliverableFor({ ...job, state: 'submitted', deliverable: 'text' })).toBe(shown ? 'text' : undefined)
  expect(deliverableFor({ ...job, state: 'settled', deliverable: 'text' })).toBe('text')
})
