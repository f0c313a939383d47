import { expect, test } from 'vitest'
import type { ActivityRecord as Movement } from '../../src/records/market/activity.ts'
import type { RunRecord as Run } from '../../src/records/run.ts'
import type { RunEvent } from '../../src/web/client/shapes.ts'
import { jobStateIn } from '../../src/web/hire/jobState.ts'
import { toSteps } from '../../src/web/hire/steps.ts'
import { weekOf } from '../../src/web/me/movements.ts'

const logOf = (...types: RunEvent['type'][]): RunEvent[] =>
  types.map((type, at) => ({
    ...{ run_id: 'r', seq: at + 1, type, summary_text: type, data: {} },
    timestamp: `2031-01-01T00:00:0${at}Z`,
  }))

test('the state of a job is that of its newest event, and after a reorganisation that of its record', () => {
  const run = { job: { state: 'escrowed' } } as Run
  expect(jobStateIn(logOf('confirmed'), undefined)).toBe('open')
  expect(jobStateIn(logOf('confirmed', 'job.open', 'job.escrowed', 'job.queued', 'transaction'), run)).toBe('queued')
  expect(jobStateIn(logOf('job.open', 'job.escrowed', 'job.retracted'), run)).toBe('escrowed')
})

test('a job waits until its agent takes it, and works from then on', () => {
  const waiting = toSteps(logOf('job.open', 'job.escrowed', 'job.queued'))
  expect(waiting[1]).toEqual({ name: 'Waiting', state: 'now', since: Date.parse('2031-01-01T00:00:01Z') })
  const working = toSteps(logOf('job.open', 'job.escrowed', 'job.queued', 'job.leased'))
  expect(working[1]).toEqual({ name: 'Working', state: 'now', since: Date.parse('2031-01-01T00:00:03Z') })
})

test('a week counts what was spent on jobs, the largest offerings first, without what came back', () => {
  const now = Date.parse('2031-01-10T00:00:00Z')
  const moved = (kind: Movement['kind'], amount: string, more: Partial<Movement> = {}): Movement => ({
    ...{ activity_id: amount, kind, amount, currency: 'USDC', at: '2031-01-09T00:00:00Z', chain_id: 97, counterparty: '0x' },
    ...{
      transaction: '0x',
      agent_id: null,
      agent_handle: null,
      offering_name: null,
      subject: null,
      job_state: null,
      job_id: null,
      run_id: null,
    },
    ...more,
  })
  const week = weekOf(
    [
      moved('hire', '-0.05', { offering_name: 'Time', job_state: 'settled' }),
      moved('hire', '-0.05', { offering_name: 'Time', job_state: 'settled' }),
      moved('hire', '-0.30', { offering_name: 'Spoon', job_state: 'leased' }),
      moved('hire', '-0.12', { offering_name: 'Chart', job_state: 'refunded' }),
      moved('refund', '0.12', { offering_name: 'Chart', job_state: 'refunded' }),
      moved('hire', '-9.00', { offering_name: 'Old', job_state: 'settled', at: '2030-12-30T00:00:00Z' }),
      moved('gift', '25'),
    ],
    now,
  )
  expect(week).toMatchObject({ jobs: 3, back: 0.12, parts: [{ name: 'Spoon' }, { name: 'Time' }] })
  expect(week.spent).toBeCloseTo(0.4)
})
