import type { Proposal } from '../../domain/proposal.ts'
import { toMinutes, toMoment } from '../client/format.ts'
import { useLoaded } from '../client/reach.ts'
import type { Payment, Run, RunEvent } from '../client/wire.ts'
import { Failed, Link, Notice, Title, Usdc, Waiting } from '../parts/basics.tsx'
import { Fenced, Quoted } from '../parts/strangers.tsx'
import { Appeal } from './Appeal.tsx'
import { useRun } from './followRun.ts'
import { Ledger } from './Ledger.tsx'
import { Receipt } from './Receipt.tsx'
import { Stages } from './Stages.tsx'
import { Timeline } from './Timeline.tsx'
import { useExplorer } from './Transaction.tsx'
import { Verdict } from './Verdict.tsx'

/** What was agreed to: the last proposal before the job. */
const agreedIn = (events: RunEvent[]): Proposal | undefined => events.findLast(it => it.type === 'proposed')?.data.proposal

/** One run: how far its job is, every move and transaction of it, its money, and what was delivered. */
export const RunView = ({ id }: { id: string }) => {
  const { events, run, error, look } = useRun(id)
  // What the ledger shows changes with what the chain said.
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
  return (
    <article class="run">
      <Head run={run} agreed={agreed} />
      {run.job ? <Stages job={run.job} events={events} /> : <NoJob run={run} />}
      <div class="columns">
        <div class="stack-wide">
          {run.job?.deliverable && (
            <section aria-labelledby="deliverable">
              <h2 id="deliverable">Deliverable</h2>
              <Fenced text={run.job.deliverable} name={`deliverable-${run.job.job_id}.txt`} />
            </section>
          )}
          {run.verdict && <Verdict verdict={run.verdict} />}
          {run.job?.state === 'settled' && !events.some(it => it.type === 'disputed') && <Appeal runId={id} onSent={look} />}
          <Timeline events={events} explorer={explorer} />
        </div>
        <aside class="stack-wide" aria-label="Money and terms">
          <Ledger payments={payments.value ?? []} explorer={explorer} />
          {agreed && <Agreed agreed={agreed} />}
          <Receipt run={run} events={events} payments={payments.value ?? []} agreed={agreed} />
        </aside>
      </div>
    </article>
  )
}

const Head = ({ run, agreed }: { run: Run; agreed: Proposal | undefined }) => (
  <header class="run-head">
    <p class="quiet">
      <Link to={`/app/c/${encodeURIComponent(run.conversation_id)}`}>Conversation</Link> · {toMoment(run.created_at)}
    </p>
    <Title>{run.task.length > 90 ? `${run.task.slice(0, 89)}…` : run.task}</Title>
    {agreed && (
      <p class="quiet">
        <Quoted text={agreed.offeringName} /> by <Link to={`/app/agents/${agreed.agentId}`}>{agreed.agentHandle}</Link> for{' '}
        <Usdc amount={agreed.total} />
      </p>
    )}
  </header>
)

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

const Agreed = ({ agreed }: { agreed: Proposal }) => (
  <section class="card" aria-labelledby="agreed">
    <h2 id="agreed">Terms</h2>
    <dl class="sums">
      <div>
        <dt>Promise</dt>
        <dd>{toMinutes(agreed.slaMinutes)}</dd>
      </div>
      <div>
        <dt>Version</dt>
        <dd>{agreed.offeringVersion}</dd>
      </div>
      <div>
        <dt>Digest</dt>
        <dd>
          <code>{agreed.digest}</code>
        </dd>
      </div>
    </dl>
  </section>
)
