import { toReadable, toSecond } from '../client/format.ts'
import type { RunEvent } from '../client/wire.ts'
import { Quoted } from '../parts/strangers.tsx'
import { Transaction } from './Transaction.tsx'

/** Said elsewhere on this page, and at length. */
const elsewhere = new Set(['message', 'answer', 'proposed', 'asked'])

const kindOf = ({ type, data }: RunEvent): string => {
  if (type === 'transaction') return data.success === false ? 'bad' : 'chain'
  if (type === 'payment.settled' || type === 'job.settled') return 'good'
  if (type === 'job.rejected' || type === 'job.expired' || type === 'job.cancelled' || type === 'job.retracted') return 'bad'
  return type.startsWith('job.') ? 'move' : 'step'
}

/** What begins with an event; what follows belongs to it. */
const openings: Partial<Record<RunEvent['type'], string>> = {
  'job.open': 'Into escrow',
  'job.queued': 'The agent works',
  'job.submitted': 'Checked',
  'job.settling': 'Paid',
  'job.rejected': 'Money back',
  'job.expired': 'Money back',
  disputed: 'Appeal',
}

type Stage = { name: string; events: RunEvent[] }

const toStages = (events: RunEvent[]): Stage[] => {
  const stages: Stage[] = []
  for (const event of events) {
    const name = openings[event.type]
    const last = stages.at(-1)
    if (last && (name === undefined || name === last.name)) last.events.push(event)
    else stages.push({ name: name ?? 'Agreed', events: [event] })
  }
  return stages
}

/** Everything that happened, newest last, stage by stage: the job's moves, and each transaction with its hash. */
export const Timeline = ({ events, explorer }: { events: RunEvent[]; explorer: string | undefined }) => (
  <section aria-labelledby="timeline">
    <h2 id="timeline">What happened</h2>
    {toStages(events.filter(it => !elsewhere.has(it.type))).map(({ name, events }) => (
      <section key={events[0]?.seq} class="stage">
        <h3>{name}</h3>
        <ol class="timeline">
          {events.map(event => (
            <li key={event.seq} class={kindOf(event)}>
              <Happened event={event} explorer={explorer} />
              <time class="quiet figure" datetime={event.timestamp}>
                {toSecond(event.timestamp)}
              </time>
            </li>
          ))}
        </ol>
      </section>
    ))}
  </section>
)

const Happened = ({ event, explorer }: { event: RunEvent; explorer: string | undefined }) => (
  <div>
    {event.type === 'transaction' && event.data.hash ? (
      <>
        <Quoted text={stepOf(event)} /> <Transaction hash={event.data.hash} explorer={explorer} />
      </>
    ) : (
      <Quoted text={toReadable(event.summary_text)} chars={600} />
    )}
  </div>
)

/** What a transaction did, without its hash, which stands beside it. */
const stepOf = ({ summary_text: text, data: { hash = '' } }: RunEvent): string => text.replace(`: ${hash}`, '').replace(/\.$/, '')
