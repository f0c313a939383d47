import type { PropsWithChildren } from 'hono/jsx'
import type { Proposal } from '../../domain/proposal.ts'
import { toQuotable } from '../../domain/quotableText.ts'
import { firstSentence, toDuration, toReadable, toUsdc } from '../client/format.ts'
import type { Run, RunEvent } from '../client/wire.ts'
import { tookMs } from '../hire/steps.ts'
import { Link } from '../parts/basics.tsx'
import { Face } from '../parts/Face.tsx'
import { ReturnIcon } from '../parts/icons.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { errorOf } from './kinds.ts'

type NotDoneProps = PropsWithChildren<{ run: Run; agreed: Proposal | undefined; events: RunEvent[] }>

/** A hire without a result: the agent's reason if it gave one, where the money is, and what to do next. */
export const NotDone = ({ run, agreed, events, children }: NotDoneProps) => {
  const { job } = run
  if (!job) return null
  const agent = agreed?.agentName ?? 'The agent'
  const words = errorOf(job.deliverable)
  const isBack = job.state === 'refunded' || job.state === 'cancelled'
  const took = tookMs(events)
  return (
    <article class="result fail new" aria-label="Not done">
      <header>
        <Face id={job.agent_id} size={28} />
        <b class="grow">{job.state === 'cancelled' ? 'Cancelled' : <>{toQuotable(agent, 60)} could not do it</>}</b>
        <span class="tag warn">
          <ReturnIcon /> {isBack ? 'Money back' : 'Money on its way back'}
        </span>
      </header>
      <div class="body">
        {words ? (
          <blockquote>
            “<Quoted text={words} chars={300} />”
          </blockquote>
        ) : (
          <p class="lead-text">
            <Quoted text={toReadable(firstSentence(job.reason || run.content))} chars={300} />
          </p>
        )}
        <p class="ret">
          {Number(job.amount) > 0 ? (
            <>
              Your <b class="num">{toUsdc(job.amount)} USDC</b>{' '}
              {isBack ? 'are back in your account.' : 'are on their way back to you.'}
            </>
          ) : (
            'It cost nothing.'
          )}
          {took !== undefined && ` It took ${toDuration(took)}.`}
        </p>
        {children && <div class="row wrap ways">{children}</div>}
      </div>
      <footer>
        <Link to={`/app/runs/${run.run_id}`} class="link">
          What happened
        </Link>
      </footer>
    </article>
  )
}
