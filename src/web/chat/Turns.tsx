import { toDeliverableReference } from '../../domain/deliverableReference.ts'
import { toSpoken } from '../../domain/strangersText.ts'
import { toReadable, toSecond } from '../client/format.ts'
import type { Run, RunEvent } from '../client/wire.ts'
import { Failed, Link, Waiting } from '../parts/basics.tsx'
import { CheckIcon } from '../parts/icons.tsx'
import { Fenced, Quoted } from '../parts/strangers.tsx'
import { useRun } from '../run/followRun.ts'
import { toShown } from './answers.ts'
import { ProposalCard } from './ProposalCard.tsx'
import { QuestionForm } from './QuestionForm.tsx'
import { type Turn, toTurns } from './turns.ts'

export type Say = (text: string, digest?: string) => Promise<void>

/** One run of a conversation, as it was and as it goes on. */
export const RunTurns = ({ runId, say }: { runId: string; say: Say }) => {
  const { events, run, error, look } = useRun(runId)
  const answered: Say = async (text, digest) => {
    await say(text, digest)
    look()
  }
  if (error && events.length === 0) return <Failed error={error} reload={look} />
  if (events.length === 0) return <Waiting words="Reading the conversation" />
  const turns = toTurns(events, run)
  return (
    <div class="turns" role="log" aria-label="What was said">
      {turns.map((turn, index) => (
        <TurnShown key={`${turn.kind}${index}`} turn={turn} run={run} runId={runId} say={answered} look={look} />
      ))}
      {run?.state === 'working' && turns.at(-1)?.kind !== 'steps' && <Waiting words="The butler is thinking" />}
      {error && <p class="quiet">{error}</p>}
    </div>
  )
}

type TurnProps = { turn: Turn; run: Run | undefined; runId: string; say: Say; look(): void }

const TurnShown = ({ turn, run, runId, say, look }: TurnProps) => {
  if (turn.kind === 'user') return <p class="said user">{toShown(turn.text)}</p>
  if (turn.kind === 'agent') return <Answer text={turn.text} run={run} />
  if (turn.kind === 'steps') return <Steps steps={turn.steps} isLive={turn.isLive} run={run} />
  if (turn.kind === 'questions') {
    const { questions = [], offering = '' } = turn.event.data
    return <QuestionForm questions={questions} offering={offering} isOpen={turn.isOpen} isReady={turn.isReady} say={say} />
  }
  const askAgain = () => say(run?.task ?? '')
  return <ProposalCard {...turn} runId={runId} onAnswered={look} say={say} askAgain={askAgain} />
}

/** What the butler says of itself is shorter. */
const answerChars = 4_000

/** The butler's words; the agent's deliverable in them stands in a fence. */
const Answer = ({ text, run }: { text: string; run: Run | undefined }) => {
  // The last word of a hire quotes the deliverable: it is shown once the run says which part of it that is.
  if (run?.state === 'working' || run?.state === 'awaiting-job') return <Waiting words="Reading the result" />
  const deliverable = run?.job?.deliverable ?? ''
  const quoted = [deliverable, toDeliverableReference(run?.run_id ?? '')].find(it => it && text.includes(it))
  const at = deliverable && quoted ? text.indexOf(quoted) : -1
  if (at < 0 || !quoted) return <p class="said agent">{toReadable(toSpoken(text, answerChars))}</p>
  return (
    <div class="said agent">
      <p>{toReadable(text.slice(0, at).trim())}</p>
      <Fenced text={deliverable} name={`deliverable-${run?.run_id}.txt`} />
      <p>{toReadable(text.slice(at + quoted.length).trim())}</p>
    </div>
  )
}

const Steps = ({ steps, isLive, run }: { steps: RunEvent[]; isLive: boolean; run: Run | undefined }) => {
  const newest = steps.at(-1)
  return (
    <details class="steps">
      <summary>
        {isLive ? <span class="spinner" aria-hidden="true" /> : <CheckIcon />}
        <span class="step-now">
          <Quoted text={toReadable(newest?.summary_text ?? '')} chars={160} />
        </span>
        <span class="quiet count">{steps.length === 1 ? '1 step' : `${steps.length} steps`}</span>
      </summary>
      <ol>
        {steps.map(step => (
          <li key={step.seq}>
            <time class="quiet figure" datetime={step.timestamp}>
              {toSecond(step.timestamp)}
            </time>
            <Quoted text={toReadable(step.summary_text)} chars={400} />
          </li>
        ))}
      </ol>
      {run?.job && <Link to={`/app/runs/${run.run_id}`}>Open the run</Link>}
    </details>
  )
}
