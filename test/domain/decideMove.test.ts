import { expect, test } from 'vitest'
import { decideMove, guards, type JobFacts } from '../../src/domain/jobs/decideMove.ts'
import { causes, type JobEvent, type JobState, jobStates, next, sourcesOf } from '../../src/domain/jobs/job.ts'

const isEvent = (text: string): text is JobEvent => Object.hasOwn(causes, text)
const events = Object.keys(causes).filter(isEvent)

/** The facts that each guarded event needs, written by hand; a leading `-` means that the fact must be false. */
const needs: Partial<Record<JobEvent, (state: JobState) => string[]>> = {
  fund: state => (state === 'open' ? ['-funded'] : ['-funded', 'priced']),
  cancel: state => (state === 'open' ? ['-funded'] : ['-funded', 'priced']),
  unfund: () => ['funded'],
  withdraw: () => ['-leased'],
  submit: state => (state === 'queued' ? ['leased', '-delivered'] : []),
  waive: () => ['kept'],
  recall: () => ['kept'],
  // The event "lease" is always refused here, because only the lease query of the store leases a job.
  lease: () => ['never'],
}

const names = ['funded', 'priced', 'leased', 'delivered', 'kept']
const situations = Array.from({ length: 2 ** names.length }, (_, bits) => new Set(names.filter((_, at) => bits & (1 << at))))

const verdict = { pass: true, attempt: 1, criteria: [] }
const toJob = (state: JobState, facts: Set<string>): JobFacts => ({
  state,
  kind: facts.has('priced') ? 'hire' : 'free',
  chainJobId: facts.has('funded') ? 7n : undefined,
  attempt: facts.has('leased') ? 1 : 0,
  requeues: 0,
  deliverable: facts.has('delivered') ? 'text' : undefined,
  verdict: undefined,
  kept: facts.has('kept') ? { deliverable: 'earlier', verdict } : undefined,
})

const isNeeded = (facts: Set<string>, need: string) => (need.startsWith('-') ? !facts.has(need.slice(1)) : facts.has(need))

test.each(jobStates)('from %s each event changes the state only under the facts that its guard needs', state => {
  for (const event of events)
    for (const facts of situations) {
      const to = next(state, event)
      const isAllowed = to !== undefined && (needs[event]?.(state) ?? []).every(need => isNeeded(facts, need))
      const where = `${state}, ${event}, ${[...facts].join(' ') || 'nothing'}`
      expect(decideMove(toJob(state, facts), event)?.to, where).toBe(isAllowed ? to : undefined)
    }
})

test('each guard has a rule in plain words, and no other event needs a fact', () => {
  const guarded = events.filter(event => guards[event])
  expect(guarded.toSorted()).toEqual(
    Object.keys(needs)
      .filter(it => it !== 'lease')
      .toSorted(),
  )
  for (const event of guarded) {
    const rules = sourcesOf(event).flatMap(state => guards[event]?.rule(state) ?? [])
    expect(rules.length, event).toBeGreaterThan(0)
  }
})

test('an end counts for or against the agent only when the agent caused it', () => {
  const outcome = (state: JobState, event: JobEvent, facts: string[] = []) =>
    decideMove(toJob(state, new Set(facts)), event)?.outcome
  expect(outcome('submitted', 'accept')).toBe('accepted')
  expect(outcome('submitted', 'reject')).toBe('rejected')
  expect(outcome('submitted', 'recall', ['kept'])).toBe('accepted')
  expect(outcome('leased', 'fail')).toBe('failed')
  expect(outcome('leased', 'refuse')).toBeUndefined()
  expect(outcome('leased', 'expire')).toBe('undelivered')
  expect(outcome('queued', 'expire')).toBe('undelivered')
  expect(outcome('leased', 'expire', ['kept'])).toBeUndefined()
  expect(outcome('escrowed', 'expire')).toBeUndefined()
  const requeued = { ...toJob('queued', new Set(['leased'])), requeues: 1 }
  expect(decideMove(requeued, 'expire')).toMatchObject({ to: 'expired', outcome: undefined })
  expect(outcome('queued', 'withdraw')).toBeUndefined()
})

test('a deliverable that passed its checks is kept when it is sent back, and no other is', () => {
  const job = { ...toJob('submitted', new Set(['leased', 'delivered'])), verdict }
  expect(decideMove(job, 'revise')?.kept).toEqual({ deliverable: 'text', verdict })
  expect(decideMove(job, 'accept')?.kept).toBeUndefined()
  expect(decideMove({ ...job, attempt: 2 }, 'revise')?.kept).toBeUndefined()
  expect(decideMove({ ...job, verdict: { ...verdict, pass: false } }, 'revise')?.kept).toBeUndefined()
})

test('a kept deliverable is restored by a waiver and a recall, and by no other move', () => {
  for (const state of jobStates)
    for (const event of events) {
      const move = decideMove(toJob(state, new Set(['kept', 'leased', 'funded', 'priced'])), event)
      const restores = event === 'waive' || event === 'recall'
      if (move) expect(move.restored, `${state}, ${event}`).toEqual(restores ? { deliverable: 'earlier', verdict } : undefined)
    }
})
