import { useEffect, useRef } from 'hono/jsx/dom'
import { toDeliverableReference } from '../../domain/deliverableReference.ts'
import { toLabelled } from '../../domain/labelled.ts'
import { toSpoken } from '../../domain/quotableText.ts'
import { toCount, toReadable, toSecond } from '../client/format.ts'
import type { Run, RunEvent } from '../client/wire.ts'
import { Failed, Link, Waiting } from '../parts/basics.tsx'
import { CheckIcon } from '../parts/icons.tsx'
import { Fenced, Quoted } from '../parts/strangers.tsx'
import { useRun } from '../run/followRun.ts'
import { toShown } from './answers.ts'
import { Choices } from './Choices.tsx'
import { NextTasks } from './NextTasks.tsx'
import { ProposalCard } from './ProposalCard.tsx'
import type { Agreed } from './ProposalTerms.tsx'
import { QuestionForm } from './QuestionForm.tsx'
import { type Turn, toTurns } from './turns.ts'

export type Say = (text: string, digest?: string) => Promise<void>

type RunProps = {
  runId: string
  say: Say
  /** Runs that began by themselves after this one. */
  onNext(runIds: string[]): void
}

/** One run of a conversation, as it was and as it goes on. */
export const RunTurns = ({ runId, say, onNext }: RunProps) => {
  const { events, run, error, look } = useRun(runId)
  const log = useRef<HTMLDivElement>(null)
  const tasks = run?.next_tasks ?? []
  const begun = tasks.flatMap(it => it.run_id ?? [])
  useEffect(() => {
    if (begun.length > 0) onNext(begun)
  }, [begun.join()])
  // What was pressed goes away with its answer: the focus waits where the answer appears.
  const keepFocus = () => log.current?.focus({ preventScroll: true })
  const answered: Say = async (text, digest) => {
    keepFocus()
    await say(text, digest)
    look()
  }
  if (error && events.length === 0) return <Failed error={error} reload={look} />
  if (events.length === 0) return <Waiting words="Reading the conversation" />
  const turns = toTurns(events, run)
  return (
    <div class="turns" role="log" aria-label="What was said" tabindex={-1} ref={log}>
      {turns.map((turn, index) => (
        <TurnShown
          key={`${turn.kind}${index}`}
          turn={turn}
          run={run}
          runId={runId}
          say={answered}
          look={look}
          keepFocus={keepFocus}
        />
      ))}
      {tasks.length > 0 && <NextTasks tasks={tasks} />}
      {run?.state === 'working' && turns.at(-1)?.kind !== 'steps' && <Waiting words="The butler is thinking" />}
      {error && <p class="quiet">{error}</p>}
    </div>
  )
}

type TurnProps = { turn: Turn; run: Run | undefined; runId: string; say: Say; look(): void; keepFocus(): void }

const TurnShown = ({ turn, run, runId, say, look, keepFocus }: TurnProps) => {
  if (turn.kind === 'user') return <p class="said user">{toShown(turn.text)}</p>
  if (turn.kind === 'agent') return <Answer text={turn.text} mayQuote={turn.mayQuote} run={run} />
  if (turn.kind === 'steps') return <Steps steps={turn.steps} isLive={turn.isLive} run={run} />
  if (turn.kind === 'questions') {
    const { questions = [], offering = '' } = turn.event.data
    const form = { questions, offering, isOpen: turn.isOpen, isReady: turn.isReady }
    return <QuestionForm {...form} name={`${runId} ${turn.event.seq}`} say={say} />
  }
  if (turn.kind === 'choices') return <Choices choices={turn.choices} say={say} />
  const askAgain = () => say(run?.task ?? '')
  return (
    <ProposalCard
      {...turn}
      runId={runId}
      agreed={agreedOf(turn, run)}
      onAnswering={keepFocus}
      onAnswered={look}
      say={say}
      askAgain={askAgain}
    />
  )
}

/** The deadlines of what was said yes to. */
const agreedOf = ({ answer }: Extract<Turn, { kind: 'proposal' }>, run: Run | undefined): Agreed =>
  answer === 'hired' || answer === 'mandated' ? run?.job?.deadlines : undefined

/** What the butler says of itself is shorter. */
const answerChars = 4_000

/** The butler's words; the agent's deliverable in them stands in a fence. */
const Answer = ({ text, mayQuote, run }: { text: string; mayQuote: boolean; run: Run | undefined }) => {
  // The last word of a hire quotes the deliverable: it is shown once the run says which part of it that is.
  if (mayQuote && (run?.state === 'working' || run?.state === 'awaiting-job')) return <Waiting words="Reading the result" />
  const deliverable = run?.job?.deliverable ?? ''
  const quoted = [deliverable, toLabelled(deliverable), toDeliverableReference(run?.run_id ?? '')].find(
    it => it && text.includes(it),
  )
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
        <span class="quiet count">{toCount(steps.length, 'step')}</span>
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
