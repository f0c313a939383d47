import type { RunEvent } from '../client/shapes.ts'

/** A step of a hire or purchase. `ms` is its duration; `since` is when the current step began, in epoch ms. */
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
    taken: first('job.leased', 'job.submitted'),
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

/** Returns the steps of a hire: held, waiting or working, checked, paid; or the failed step and the refund. */
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
    at.held !== undefined && at.taken === undefined
      ? step('Waiting', at.held, undefined)
      : step('Working', at.taken, at.submitted),
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

const paymentOf = (events: RunEvent[]) => {
  const agreed = timeOf(events.find(it => it.type === 'confirmed'))
  const paid = timeOf(events.find(it => it.type === 'payment.settled'))
  return { agreed, paid, ended: paid ?? timeOf(events.findLast(it => it.type === 'answer')) }
}

/** Returns the steps of a purchase: the paid request, and whether the seller took the money. */
export const toPurchaseSteps = (events: RunEvent[], isOver: boolean): Step[] => {
  const { agreed, paid, ended } = paymentOf(events)
  const request = step('Asking and paying', agreed, paid ?? (isOver ? ended : undefined))
  if (isOver && paid === undefined) return [request, { name: 'Not paid', state: 'not' }]
  return [request, { name: 'Paid', state: paid === undefined ? 'next' : 'done' }]
}

/** Duration of a purchase from its yes to its payment or end, in ms; undefined while it is under way. */
export const purchaseTookMs = (events: RunEvent[]): number | undefined => {
  const { agreed, ended } = paymentOf(events)
  return agreed === undefined || ended === undefined || ended < agreed ? undefined : ended - agreed
}
