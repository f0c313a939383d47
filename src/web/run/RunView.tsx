import type { Proposal } from '../../domain/proposal.ts'
import { agreedIn } from '../client/agreed.ts'
import { toDuration, toMoment } from '../client/format.ts'
import { useLoaded } from '../client/reach.ts'
import type { Payment, Run, RunEvent } from '../client/wire.ts'
import { Cancel } from '../hire/Cancel.tsx'
import { promiseOf } from '../hire/promises.ts'
import { Steps } from '../hire/Steps.tsx'
import { tookMs } from '../hire/steps.ts'
import { Failed, Link, Notice, Title, Waiting } from '../parts/basics.tsx'
import { Face } from '../parts/Face.tsx'
import { AgainIcon, BackIcon, CheckIcon, ReturnIcon, SpinIcon } from '../parts/icons.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { NotDone } from '../result/NotDone.tsx'
import { Result } from '../result/Result.tsx'
import { Appeal } from './Appeal.tsx'
import { useRun } from './followRun.ts'
import { Happened } from './Happened.tsx'
import { Money } from './Money.tsx'
import { Technical } from './Technical.tsx'
import { useExplorer } from './Transaction.tsx'

/** Returns the events after the last proposal, which are displayed as steps. */
const sinceYes = (events: RunEvent[]): RunEvent[] => {
  const at = events.findLastIndex(it => it.type === 'proposed')
  return events.slice(at + 1)
}

/** A run: its result first, then its phases, payments and technical details. */
export const RunView = ({ id }: { id: string }) => {
  const { events, run, error, look } = useRun(id)
  // The payments are loaded again after each event from the chain.
  const seen = events.filter(it => it.type === 'transaction' || it.type === 'payment.settled').length
  const payments = useLoaded<Payment[]>(`/runs/${id}/payments`, seen)
  const explorer = useExplorer(run?.chain_id)
  if (!run)
    return (
      <>
        <Title>Run</Title>
        {error ? <Failed error={error} reload={look} /> : <Waiting words="Reading the run" />}
      </>
    )
  const agreed = agreedIn(events)
  const shown = { run, agreed, events: sinceYes(events) }
  return (
    <article>
      <Link to={`/app/c/${encodeURIComponent(run.conversation_id)}`} class="link">
        <BackIcon /> Conversation
      </Link>
      <Head {...shown} />
      <div class="two">
        <div class="stack">
          {run.job ? <Outcome {...shown} look={look} /> : <NoJob run={run} />}
          <Happened events={events} run={run} />
          <Technical run={run} events={events} payments={payments.value ?? []} agreed={agreed} explorer={explorer} />
        </div>
        <aside class="stack" aria-label="Money and feedback">
          <Money payments={payments.value ?? []} agreed={agreed} run={run} events={events} />
          {run.job?.state === 'settled' && !events.some(it => it.type === 'disputed') && <Appeal runId={id} onSent={look} />}
        </aside>
      </div>
    </article>
  )
}

type Shown = { run: Run; agreed: Proposal | undefined; events: RunEvent[] }

const titleChars = 90

const Head = ({ run, agreed, events }: Shown) => {
  const took = tookMs(events)
  return (
    <header class="runhead">
      <div class="grow">
        <Title>{run.task.length > titleChars ? `${run.task.slice(0, titleChars - 1)}…` : run.task}</Title>
        <p class="q row wrap">
          {agreed && (
            <>
              <Face id={agreed.agentId} size={24} />
              <span>
                <Quoted text={agreed.offeringName} chars={80} /> by{' '}
                <Link to={`/app/agents/${agreed.agentId}`}>
                  <Quoted text={agreed.agentName} chars={60} />
                </Link>
              </span>
              <span>·</span>
            </>
          )}
          <span>{toMoment(run.created_at)}</span>
        </p>
      </div>
      {run.job && <Ended state={run.job.state} took={took} />}
      {run.job && (
        <Link to={`/?${new URLSearchParams({ ask: run.task })}`} class="btn small">
          <AgainIcon /> Run again
        </Link>
      )}
    </header>
  )
}

const Ended = ({ state, took }: { state: string; took: number | undefined }) => {
  if (state === 'settled')
    return (
      <span class="tag good big-tag">
        <CheckIcon /> Done{took !== undefined && ` in ${toDuration(took)}`}
      </span>
    )
  if (['refunded', 'cancelled', 'rejected', 'expired'].includes(state))
    return (
      <span class="tag warn big-tag">
        <ReturnIcon /> {state === 'refunded' || state === 'cancelled' ? 'Money back' : 'Money on its way back'}
      </span>
    )
  return (
    <span class="tag good big-tag">
      <SpinIcon /> Under way
    </span>
  )
}

const Outcome = ({ run, agreed, events, look }: Shown & { look(): void }) => {
  const isOver = run.state === 'completed' || run.state === 'failed'
  if (run.job?.state === 'settled') return <Result run={run} agreed={agreed} events={events} />
  if (isOver) return <NotDone run={run} agreed={agreed} events={events} />
  return (
    <section class="card busy" aria-label="Progress">
      <Steps events={events} />
      <div class="row after">
        <p class="q s grow">{agreed && `${promiseOf(agreed, run.job?.deadlines)}.`}</p>
        <Cancel run={run} look={look} />
      </div>
    </section>
  )
}

const NoJob = ({ run }: { run: Run }) => {
  const isOpen = run.state === 'awaiting-input' || run.state === 'awaiting-confirmation'
  return (
    <Notice title={isOpen ? 'Your butler waits for you.' : 'Nothing was hired in this run.'}>
      <Link to={`/app/c/${encodeURIComponent(run.conversation_id)}`}>
        {isOpen ? 'Answer in the conversation' : 'See the conversation'}
      </Link>
    </Notice>
  )
}
