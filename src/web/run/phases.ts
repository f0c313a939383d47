import type { RunEvent } from '../client/wire.ts'

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
const stops = new Set(['Money back', 'Reported'])

/** Groups the events of a run into phases, in order. */
export const toPhases = (events: RunEvent[], isOver: boolean): Phase[] => {
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
      phases.push({ name: name ?? 'Agreed', state: stops.has(name ?? '') ? 'stop' : 'done', events: [event], from: at, to: at })
    }
  }
  const last = phases.at(-1)
  if (last && !isOver && last.state === 'done') last.state = 'work'
  return phases
}

/** Describes a phase in a few words. */
export const noteOf = ({ name, events }: Phase): string => {
  const has = (type: RunEvent['type']) => events.some(it => it.type === type)
  if (name === 'Agreed') return 'an agent was found and its terms agreed'
  if (name === 'Held safely') return 'the money was set aside'
  if (name === 'Working') return has('job.leased') ? 'the agent picked it up' : 'waiting for the agent'
  if (name === 'Checked') return has('evaluated') ? 'the work was checked' : 'being checked'
  if (name === 'Paid') return has('job.settled') ? 'the agent got its money' : 'the payment is on its way'
  if (name === 'Money back')
    return has('job.refunded') || has('job.cancelled') ? 'your money is back' : 'your money is on its way back'
  return ''
}
