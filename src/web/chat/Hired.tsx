import type { Proposal } from '../../domain/proposal.ts'
import { toDuration, toUsdc } from '../client/format.ts'
import type { Run, RunEvent } from '../client/wire.ts'
import { Cancel } from '../hire/Cancel.tsx'
import { promiseOf } from '../hire/promises.ts'
import { StepBars, Steps } from '../hire/Steps.tsx'
import { tookMs, toSteps } from '../hire/steps.ts'
import { Link } from '../parts/basics.tsx'
import { CheckIcon, ChevronIcon, ReturnIcon, SpinIcon } from '../parts/icons.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { SlipDetails } from './SlipDetails.tsx'
import { Subject } from './Subject.tsx'
import type { Ending } from './turns.ts'

type HiredProps = { terms: Proposal; run: Run | undefined; events: RunEvent[]; answer: Ending | undefined; look(): void }

const returning = ['rejected', 'expired', 'refunded', 'cancelled']

/** An accepted hire as one line, which expands to its progress. */
export const Hired = ({ terms, run, events, answer, look }: HiredProps) => {
  const state = run?.job?.state ?? 'open'
  const steps = toSteps(events)
  const isOver = run?.state === 'completed' || run?.state === 'failed'
  return (
    <details class={`was ${isOver ? '' : 'busy'}`} open={!isOver} aria-label="Progress">
      <summary>
        <Subject terms={terms} />
        <StepBars steps={steps} />
        <HiredState state={state} isOver={isOver} total={terms.total} />
        {isOver && <span class="q s num only-wide">{toDuration(tookMs(events) ?? 0)}</span>}
        <ChevronIcon />
      </summary>
      <div class="was-body">
        <Steps steps={steps} />
        {!isOver && <Progress events={events} />}
        <div class="row wrap was-foot">
          <span class="q s grow">
            {answer === 'mandated' && 'Hired under your spending limit. '}
            {isOver ? '' : `${promiseOf(terms, run?.job?.deadlines)}.`}
          </span>
          {!isOver && run && <Cancel run={run} look={look} />}
          {run && (
            <Link to={`/app/runs/${run.run_id}`} class="link">
              What happened
            </Link>
          )}
        </div>
        <SlipDetails terms={terms} />
      </div>
    </details>
  )
}

/** What the agent said last about its progress. */
const Progress = ({ events }: { events: RunEvent[] }) => {
  const said = events.findLast(it => it.type === 'progress')
  return said ? (
    <p class="q s" aria-live="polite">
      The agent says: <Quoted text={said.summary_text} chars={300} />
    </p>
  ) : null
}

const HiredState = ({ state, isOver, total }: { state: string; isOver: boolean; total: string }) => {
  if (state === 'settled')
    return (
      <span class="ok s num">
        <CheckIcon /> Paid {toUsdc(total)}
      </span>
    )
  if (returning.includes(state))
    return (
      <span class="tag warn">
        <ReturnIcon /> {isOver ? 'Money back' : 'Money on its way back'}
      </span>
    )
  return (
    <span class="ok s">
      <SpinIcon /> {state === 'open' ? 'Paying' : 'Working'}
    </span>
  )
}
