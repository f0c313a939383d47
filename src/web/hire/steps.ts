import type { RunEvent } from '../client/wire.ts'

/** A step of a hire. `ms` is its duration; `since` is when the current step began, in epoch ms. */
export type Step = {
  name: string
  state: 'done' | 'now' | 'next' | 'back' | 'not'
  ms?: number
  since?: number
}

const timeOf = (event: RunEvent | undefined): number | undefined => event && Date.parse(event.timestamp)

/** Returns when each step of a job ended, in epoch ms. Returned work counts until its last submission. */
const momentsOf = (events: RunEvent[]) => {
  const first = (...types: RunEvent['type'][]) => timeOf(events.find(it => types.includes(it.type)))
  const last = (...types: RunEvent['type'][]) => timeOf(events.findLast(it => types.includes(it.type)))
  const returning = first('job.rejected', 'job.expired', 'job.cancelled')
  return {
    agreed: first('confirmed', 'job.open'),
    held: first('job.escrowed', 'job.queued', 'job.leased', 'job.submitted'),
    submitted: last('job.submitted'),
    checked: first('job.settling', 'job.settled'),
    paid: first('job.settled'),
    returning,
    returned: first('job.refunded', 'job.cancelled'),
  }
}

const step = (name: string, from: number | undefined, to: number | undefined): Step => {
  if (from === undefined) return { name, state: 'next' }
  return to === undefined ? { name, state: 'now', since: from } : { name, state: 'done', ms: to - from }
}

/** Returns the steps of a hire: held, working, checked, paid; or the failed step and the refund. */
export const toSteps = (events: RunEvent[]): Step[] => {
  const at = momentsOf(events)
  const held = step('Held safely', at.agreed, at.held ?? at.returning)
  if (at.returning !== undefined) {
    const isRefused = at.submitted !== undefined
    const back = step('Returned', at.returning, at.returned)
    return [
      held,
      { name: isRefused ? 'Not accepted' : 'No answer', state: 'not', ms: at.returning - (at.held ?? at.returning) },
      { ...back, state: back.state === 'done' ? 'back' : back.state },
    ]
  }
  return [
    held,
    step('Working', at.held, at.submitted),
    step('Checked', at.submitted, at.checked),
    step('Paid', at.checked, at.paid),
  ]
}

/** Duration from acceptance to the end, in ms; undefined while the hire runs. */
export const tookMs = (events: RunEvent[]): number | undefined => {
  const { agreed, paid, returned } = momentsOf(events)
  const end = paid ?? returned
  return agreed === undefined || end === undefined ? undefined : end - agreed
}
