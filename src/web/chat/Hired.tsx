import type { Proposal } from '../../domain/proposal.ts'
import { toDuration, toUsdc } from '../client/format.ts'
import type { Run, RunEvent } from '../client/wire.ts'
import { Cancel } from '../hire/Cancel.tsx'
import { promiseOf } from '../hire/promises.ts'
import { StepBars, Steps } from '../hire/Steps.tsx'
import { tookMs } from '../hire/steps.ts'
import { Link } from '../parts/basics.tsx'
import { Face } from '../parts/Face.tsx'
import { CheckIcon, ChevronIcon, CrossIcon, ReturnIcon, SpinIcon } from '../parts/icons.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { editedOf } from './fields.ts'
import { SlipDetails } from './SlipDetails.tsx'
import type { Ending } from './turns.ts'

type HiredProps = { proposal: Proposal; run: Run | undefined; events: RunEvent[]; answer: Ending | undefined; look(): void }

const returning = ['rejected', 'expired', 'refunded', 'cancelled']

/** Returns the subject of a task: the first value of its input. */
const subjectOf = (input: string): string => Object.values(editedOf(input))[0] ?? input

/** One line with the hired agent and its task. */
const Hire = ({ proposal }: { proposal: Proposal }) => (
  <>
    <Face id={proposal.agentId} size={30} />
    <span class="what grow">
      <b>
        <Quoted text={proposal.offeringName} chars={80} />
      </b>{' '}
      <span class="q">
        · <Quoted text={subjectOf(proposal.input)} chars={60} />
      </span>
    </span>
  </>
)

/** An accepted proposal as one line, which expands to the progress of the hire. */
export const Hired = ({ proposal, run, events, answer, look }: HiredProps) => {
  const state = run?.job?.state ?? 'open'
  const isOver = run?.state === 'completed' || run?.state === 'failed'
  return (
    <details class={`was ${isOver ? '' : 'busy'}`} open={!isOver} aria-label="Progress">
      <summary>
        <Hire proposal={proposal} />
        <StepBars events={events} />
        <HiredState state={state} isOver={isOver} total={proposal.total} />
        {isOver && <span class="q s num only-wide">{toDuration(tookMs(events) ?? 0)}</span>}
        <ChevronIcon />
      </summary>
      <div class="was-body">
        <Steps events={events} />
        {!isOver && <Progress events={events} />}
        <div class="row wrap was-foot">
          <span class="q s grow">
            {answer === 'mandated' && 'Hired under your spending limit. '}
            {isOver ? '' : `${promiseOf(proposal, run?.job?.deadlines)}.`}
          </span>
          {!isOver && run && <Cancel run={run} look={look} />}
          {run && (
            <Link to={`/app/runs/${run.run_id}`} class="link">
              What happened
            </Link>
          )}
        </div>
        <SlipDetails proposal={proposal} />
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

/** A proposal that was declined, or replaced by newer terms. */
export const Closed = ({ proposal, answer }: { proposal: Proposal; answer: Ending | undefined }) => (
  <details class="was">
    <summary>
      <Hire proposal={proposal} />
      <span class="q s">
        {answer === 'declined' && <CrossIcon />} {answer === 'declined' ? 'You said no' : 'No longer open'}
      </span>
      <ChevronIcon />
    </summary>
    <div class="was-body">
      <SlipDetails proposal={proposal} />
    </div>
  </details>
)
