import { useRef } from 'hono/jsx/dom'
import { toSpoken } from '../../domain/text/quotableText.ts'
import type { RunRecord as Run } from '../../records/run.ts'
import { agreedIn, isBuying, isPurchase } from '../client/agreed.ts'
import { useEffect } from '../client/effects.ts'
import { toReadable } from '../client/format.ts'
import { createLater } from '../client/later.ts'
import { useReach } from '../client/reach.ts'
import type { RunEvent } from '../client/shapes.ts'
import { ownLanguage, t } from '../client/words.ts'
import { Button, Failed, Waiting } from '../parts/basics.tsx'
import { AgainIcon } from '../parts/icons.tsx'
import { Opened } from '../parts/Opened.tsx'
import { Slip } from '../proposal/Slip.tsx'
import { useSlipLabels } from '../proposal/useSlipLabels.ts'
import { Result } from '../result/Result.tsx'
import { useRun } from '../run/followRun.ts'
import { Hired } from './Hired.tsx'
import { toOrder } from './order.ts'
import { QuestionForm } from './QuestionForm.tsx'
import type { Ended } from './Ready.tsx'
import { answerChars, Bubble, Butler, Thinking, Words } from './Said.tsx'
import { Closed } from './Subject.tsx'
import { isOver, type Turn, toTurns } from './turns.ts'

/** Sends a message; a repeated one with the same key has no second effect. */
export type Say = (text: string, digest?: string, key?: string) => Promise<void>

type RunProps = {
  runId: string
  say: Say
  /** Whether it is the last one of its conversation, which a plain yes answers. */
  isLast?: boolean
  /** Called with the runs that the service started after this one. */
  onNext(runIds: string[]): void
  /** A message that was just sent in this run, shown until the log contains it. */
  pending: string | undefined
  /** Increases with each message of the user, so that the run is read again. */
  round: number
  /** Called when a job ends while the page shows it. */
  onEnded?: ((ended: Ended) => void) | undefined
}

/** One run of a conversation, updated while it continues. */
export const RunTurns = ({ runId, say, isLast = true, onNext, pending, round, onEnded }: RunProps) => {
  const { events, run, error, look } = useRun(runId)
  const log = useRef<HTMLDivElement>(null)
  const tasks = run?.next_tasks ?? []
  const begun = tasks.flatMap(it => it.run_id ?? [])
  useEffect(() => {
    if (begun.length > 0) onNext(begun)
  }, [begun.join()])
  useEffect(look, [round])
  const { conversations } = useReach()
  useEffect(() => {
    // The list of conversations learns at once what is shown here.
    if (run) void conversations.reload()
  }, [run?.state])
  useEnd({ runId, run, events, onEnded })
  // A pressed button disappears with its answer, so the focus moves to the log.
  const keepFocus = () => log.current?.focus({ preventScroll: true })
  const answered: Say = async (text, digest, key) => {
    keepFocus()
    // A refusal may mean that the run has changed.
    await say(text, digest, key).finally(look)
  }
  if (error && events.length === 0) return <Failed error={error} reload={look} />
  if (events.length === 0) return pending === undefined ? <Waiting /> : <Bubble text={pending} />
  const turns = toTurns(events, run)
  // The yes of the button is a later message, so the last one is not necessarily the pending one.
  const isHeard = pending === undefined || events.some(it => isUsers(it) && it.summary_text === pending)
  const props = { run, runId, events, isLast, say: answered, look, keepFocus }
  return (
    <div class="turns" role="log" aria-label={t('What was said')} tabindex={-1} ref={log} data-run={runId}>
      {turns.map(turn => (
        <TurnShown key={`${turn.kind}${turn.seq}`} turn={turn} turns={turns} {...props} />
      ))}
      {!isHeard && pending !== undefined && <Bubble text={pending} />}
      {tasks.length > 0 && <Opened part={rare}>{it => <it.NextTasks tasks={tasks} />}</Opened>}
      {run?.state === 'working' && !turns.some(it => it.kind === 'steps' && it.isLive) && !run.job && <Thinking words="" />}
      {error && <p class="q">{error}</p>}
    </div>
  )
}

type EndOf = Pick<RunProps, 'runId' | 'onEnded'> & { run: Run | undefined; events: RunEvent[] }

const useEnd = ({ runId, run, events, onEnded }: EndOf) => {
  const isRunning = run?.state === 'awaiting-job' || run?.state === 'working'
  const wasRunning = useRef(false)
  useEffect(() => {
    if (run?.job && isOver(run) && wasRunning.current)
      onEnded?.({ runId, name: agreedIn(events)?.offeringName ?? t('A job'), isPaid: run.job.state === 'settled' })
    wasRunning.current = isRunning
  }, [run?.state])
}

const isUsers = ({ type, data }: RunEvent) => type === 'message' && data.role !== 'agent'

type TurnProps = {
  turn: Turn
  turns: Turn[]
  run: Run | undefined
  runId: string
  events: RunEvent[]
  isLast: boolean
  say: Say
  look(): void
  keepFocus(): void
}

const TurnShown = (props: TurnProps) => {
  const { turn, run, runId, say } = props
  if (turn.kind === 'user') return <Bubble text={turn.text} />
  if (turn.kind === 'agent') {
    // The results of a plan stand in place of the sentence that quotes them.
    const plan = run?.plan?.state === 'ended' && turn === props.turns.at(-1) ? run.plan : undefined
    return plan ? <Opened part={plans}>{it => <it.PlanResults plan={plan} />}</Opened> : <Words text={turn.text} />
  }
  if (turn.kind === 'limits')
    return (
      <Butler>
        <Opened part={rare}>{it => <it.Limits text={turn.text} isOpen={turn.isOffer && props.isLast} say={say} />}</Opened>
      </Butler>
    )
  if (turn.kind === 'nothing')
    return (
      <Opened part={rare}>
        {it => <it.NothingFits text={toReadable(toSpoken(turn.text, answerChars))} task={run?.task ?? ''} />}
      </Opened>
    )
  if (turn.kind === 'result') return <End {...props} text={turn.text} />
  if (turn.kind === 'steps')
    return turn.isLive && !run?.job ? <Thinking words={toReadable(turn.steps.at(-1)?.summary_text ?? '')} /> : null
  if (turn.kind === 'questions') {
    const { event, isOpen, isReady } = turn
    const { questions = [], offering = '', steps } = event.data
    const form = { questions, offering, steps, isOpen, isReady, unplanned: isOpen ? run?.unplanned : undefined }
    return <QuestionForm {...form} name={`${runId} ${event.seq}`} say={say} />
  }
  if (turn.kind === 'plan') return <Planned {...props} />
  if (turn.kind === 'choices') return <Opened part={rare}>{it => <it.Choices choices={turn.choices} say={say} />}</Opened>
  return <Offer {...props} turn={turn} />
}

/** Turns that few conversations have, loaded with the first of them. */
const rare = createLater(() => import('./rare.tsx'))

/** Loaded with the first plan. */
const plans = createLater(() => import('../plan/plans.tsx'))

/** The plan of a run as its record says now. */
const Planned = ({ run, runId, say, look, keepFocus }: TurnProps) => {
  if (!run?.plan) return <Waiting />
  const isOpen = run.plan.state === 'proposed' && run.state === 'awaiting-confirmation'
  const shown = { plan: run.plan, runId, chainId: run.chain_id, isOpen, onAnswering: keepFocus, onAnswered: look, say }
  return <Opened part={plans}>{it => <it.PlanSlip {...shown} />}</Opened>
}

/** A proposal: open, accepted, replaced by newer terms, or declined. */
const Offer = ({ turn, turns, run, runId, say, look, keepFocus }: TurnProps & { turn: Extract<Turn, { kind: 'proposal' }> }) => {
  const { terms, answer, later } = turn
  const labels = useSlipLabels(ownLanguage() === 'en' ? turn.language : ownLanguage())
  if (turn.isOpen)
    return (
      <Slip
        terms={terms}
        runId={runId}
        before={turn.before}
        notice={turn.notice}
        labels={labels}
        isReady={turn.isReady}
        onAnswering={keepFocus}
        onAnswered={look}
        say={say}
        askAgain={() => say(run?.task ?? '')}
      />
    )
  if (answer === 'hired' || answer === 'mandated') {
    const accepted = { run, events: later, answer }
    return isPurchase(terms) ? (
      <Opened part={rare}>{it => <it.Bought terms={terms} {...accepted} />}</Opened>
    ) : (
      <Hired terms={terms} {...accepted} look={look} />
    )
  }
  const isReplaced = turns.some(it => it.kind === 'proposal' && it.seq > turn.seq)
  return isReplaced ? null : <Closed terms={terms} answer={answer} />
}

/** The end of a hire or purchase: its result, or why there is none. */
const End = ({ text, run, events, say }: TurnProps & { text: string }) => {
  if (run && !run.job && isBuying(events))
    return <Opened part={rare}>{it => <it.PurchaseEnd run={run} events={events} again={() => void say(run.task)} />}</Opened>
  if (!run?.job || run.state === 'working' || run.state === 'awaiting-job') return <Waiting />
  const agreed = agreedIn(events)
  const shown = { run, agreed, events }
  const again = (
    <Button
      class="link"
      onClick={() => void say(agreed ? toOrder(agreed.agentHandle, agreed.offeringName, agreed.input) : run.task)}
      icon={<AgainIcon />}
      words={agreed ? t('Hire it again') : t('Run again')}
    />
  )
  if (run.job.state === 'settled') return <Result {...shown}>{again}</Result>
  if (['refunded', 'cancelled', 'rejected', 'expired'].includes(run.job.state))
    return <Opened part={rare}>{it => <it.Undone {...shown} say={say} />}</Opened>
  return <Words text={text} />
}
