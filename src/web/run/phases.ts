import { isBuying, offeredIn } from '../client/agreed.ts'
import type { RunEvent } from '../client/shapes.ts'

/** A phase of a run with its events; `from` and `to` are in epoch ms. */
export type Phase = { name: string; state: 'done' | 'work' | 'stop'; events: RunEvent[]; from: number; to: number }

/** Events that the conversation shows instead. */
const elsewhere = new Set<RunEvent['type']>(['message', 'answer', 'asked', 'usage'])

/** The phase that each event starts; the following events belong to it. */
const openings: Partial<Record<RunEvent['type'], string>> = {
  confirmed: 'Held safely',
  'job.open': 'Held safely',
  'job.queued': 'Working',
  'job.leased': 'Working',
  'job.submitted': 'Checked',
  'job.settling': 'Paid',
  'job.rejected': 'Money back',
  'job.expired': 'Money back',
  'job.cancelled': 'Money back',
  disputed: 'Reported',
}
const purchaseOpenings: typeof openings = { confirmed: 'Asking and paying', 'payment.settled': 'Paid' }
const stops = new Set(['Money back', 'Reported', 'Not paid'])

export const toPhases = (events: RunEvent[], isOver: boolean): Phase[] => {
  const isForPurchase = isBuying(events) || offeredIn(events) !== undefined
  return isForPurchase ? toPurchasePhases(events, isOver) : group(events, { isOver, openings, first: 'Agreed' })
}

const toPurchasePhases = (events: RunEvent[], isOver: boolean): Phase[] => {
  const phases = group(events, { isOver, openings: purchaseOpenings, first: 'Price asked' })
  const last = phases.at(-1)
  if (isOver && last && last.name === purchaseOpenings.confirmed)
    return [...phases.slice(0, -1), { ...last, name: 'Not paid', state: 'stop' }]
  return phases
}

type Grouping = { isOver: boolean; openings: Partial<Record<RunEvent['type'], string>>; first: string }

const group = (events: RunEvent[], { isOver, openings, first }: Grouping): Phase[] => {
  const phases: Phase[] = []
  for (const event of events.filter(it => !elsewhere.has(it.type))) {
    const name = openings[event.type]
    const last = phases.at(-1)
    const at = Date.parse(event.timestamp)
    if (last && (name === undefined || name === last.name)) {
      last.events.push(event)
      last.to = at
    } else {
      if (last) last.to = at
      phases.push({ name: name ?? first, state: stops.has(name ?? '') ? 'stop' : 'done', events: [event], from: at, to: at })
    }
  }
  const last = phases.at(-1)
  if (last && !isOver && last.state === 'done') last.state = 'work'
  return phases
}

export const noteOf = ({ name, events }: Phase): string => {
  const has = (type: RunEvent['type']) => events.some(it => it.type === type)
  if (name === 'Agreed') return 'an agent was found and its terms agreed'
  if (name === 'Price asked') return 'the seller named its price'
  if (name === 'Asking and paying') return 'the request went out with the payment'
  if (name === 'Not paid') return 'the payment expired unused; your money stayed with you'
  if (name === 'Held safely') return 'the money was set aside'
  if (name === 'Working') return has('job.leased') ? 'the agent picked it up' : 'waiting for the agent'
  if (name === 'Checked') return has('evaluated') ? 'the work was checked' : 'being checked'
  if (name === 'Paid' && has('payment.settled') && !has('job.settling')) return 'the seller got its money'
  if (name === 'Paid') return has('job.settled') ? 'the agent got its money' : 'the payment is on its way'
  if (name === 'Money back')
    return has('job.refunded') || has('job.cancelled') ? 'your money is back' : 'your money is on its way back'
  return ''
}
