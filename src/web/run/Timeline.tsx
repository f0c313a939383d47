import { toSecond } from '../format.ts'
import { Quoted } from '../parts/strangers.tsx'
import type { RunEvent } from '../wire.ts'
import { Transaction } from './Transaction.tsx'

/** Said elsewhere on this page, and at length. */
const elsewhere = new Set(['message', 'answer', 'proposed', 'asked'])

const kindOf = ({ type, data }: RunEvent): string => {
  if (type === 'transaction') return data.success === false ? 'bad' : 'chain'
  if (type === 'payment.settled' || type === 'job.settled') return 'good'
  if (type === 'job.rejected' || type === 'job.expired' || type === 'job.cancelled' || type === 'job.retracted') return 'bad'
  return type.startsWith('job.') ? 'move' : 'step'
}

/** Everything that happened, newest last: the job's moves, and each transaction with its hash. */
export const Timeline = ({ events, explorer }: { events: RunEvent[]; explorer: string | undefined }) => (
  <section aria-labelledby="timeline">
    <h2 id="timeline">What happened</h2>
    <ol class="timeline">
      {events
        .filter(it => !elsewhere.has(it.type))
        .map(event => (
          <li key={event.seq} class={kindOf(event)}>
            <time class="quiet figure" datetime={event.timestamp}>
              {toSecond(event.timestamp)}
            </time>
            <div>
              {event.type === 'transaction' && event.data.hash ? (
                <>
                  <Quoted text={stepOf(event)} /> <Transaction hash={event.data.hash} explorer={explorer} />
                </>
              ) : (
                <Quoted text={event.summary_text} chars={600} />
              )}
            </div>
          </li>
        ))}
    </ol>
  </section>
)

/** What a transaction did, without its hash, which stands beside it. */
const stepOf = ({ summary_text: text, data: { hash = '' } }: RunEvent): string => text.replace(`: ${hash}`, '').replace(/\.$/, '')
