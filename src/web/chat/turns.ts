import type { Choice } from '../../domain/runs/question.ts'
import type { OpenTerms } from '../../domain/x402/purchaseProposal.ts'
import type { RunRecord as Run } from '../../records/run.ts'
import { isBuying, termsIn } from '../client/agreed.ts'
import type { RunEvent } from '../client/shapes.ts'

export type Ending = 'hired' | 'mandated' | 'declined' | 'changed'

export type Turn = { seq: number } & (
  | { kind: 'user'; text: string }
  | { kind: 'agent'; text: string }
  /** No offering does the task. */
  | { kind: 'nothing'; text: string }
  /** About spending limits. `isOffer`: a yes sets the one that it repeats. */
  | { kind: 'limits'; text: string; isOffer: boolean }
  /** The last message of a hire or purchase; its result is drawn from its record. */
  | { kind: 'result'; text: string }
  | { kind: 'steps'; steps: RunEvent[]; isLive: boolean }
  | { kind: 'questions'; event: RunEvent; isOpen: boolean; isReady: boolean }
  | { kind: 'choices'; choices: Choice[] }
  /** A plan is drawn from the record of the run, where its newest version stands. */
  | { kind: 'plan' }
  | {
      kind: 'proposal'
      terms: OpenTerms
      isOpen: boolean
      isReady: boolean
      answer: Ending | undefined
      /** The events after the proposal. */
      later: RunEvent[]
      /** The earlier proposal in this run, if there is one. */
      before: OpenTerms | undefined
      /** What the butler says with the terms, such as that it found nothing cheaper. */
      notice: string
      /** ISO 639 code of the language of the labels; empty for English. */
      language: string
    }
)

/** Builds the displayed entries of a run from its log and record alone, so that every browser tab shows the same. */
export const toTurns = (log: RunEvent[], run: Run | undefined): Turn[] => {
  const events = withoutTwins(log)
  const turns: Turn[] = []
  for (const [index, event] of events.entries()) {
    if (isBareYes(event, events[index + 1]) || isSaidBefore(event) || isOvertaken(event, events.slice(index + 1))) continue
    const turn = toTurn(event, { events, later: events.slice(index + 1), run })
    const last = turns.at(-1)
    if (turn.kind === 'steps' && last?.kind === 'steps') last.steps.push(event)
    else if (event.type === 'words' && last?.kind === 'agent') last.text += ` ${event.summary_text}`
    else turns.push(turn)
  }
  const last = turns.at(-1)
  if (last?.kind === 'steps' && run) last.isLive = run.state === 'working' || run.state === 'awaiting-job'
  return [...turns, ...toLast(events, run)]
}

/** Whether a message is the "yes" of the accept button, which the proposal already shows. */
const isBareYes = ({ type, summary_text: text }: RunEvent, next: RunEvent | undefined): boolean =>
  type === 'message' && text === 'yes' && next?.type === 'confirmed'

/**
 * Whether an event only notes what came of a refusal. The refusal itself is a message of the user, or the event of the button.
 */
const isSaidBefore = ({ type, data }: RunEvent): boolean => type === 'declined' && data.role !== 'user'

const saying = new Set(['answer', 'asked', 'proposed', 'message'])
/** Whether the words of a model have their answer, which repeats or replaces them. */
const isOvertaken = ({ type }: RunEvent, later: RunEvent[]): boolean => type === 'words' && later.some(it => saying.has(it.type))

/** Removes repeated proposals of the same terms, except the newest one. */
const withoutTwins = (events: RunEvent[]): RunEvent[] => {
  const digestOf = (it: RunEvent) => termsIn(it)?.digest
  const newest = new Map(events.map(it => [digestOf(it), it.seq]))
  return events.filter(it => it.type !== 'proposed' || newest.get(digestOf(it)) === it.seq)
}

/** Returns what only the run's record contains: offerings to pick from, and an end that the log does not state. */
const toLast = (events: RunEvent[], run: Run | undefined): Turn[] => {
  const lastSeq = (events.at(-1)?.seq ?? 0) + 1
  if (run?.state === 'awaiting-input' && run.choices?.length) return [{ seq: lastSeq, kind: 'choices', choices: run.choices }]
  const isSaid = events.some(it => it.type === 'answer' || (it.type === 'message' && it.data.role === 'agent'))
  return run && isOver(run) && !isSaid && run.content
    ? [{ seq: lastSeq, kind: run.job ? 'result' : 'agent', text: run.content }]
    : []
}

type Around = { events: RunEvent[]; later: RunEvent[]; run: Run | undefined }

const toTurn = (event: RunEvent, around: Around): Turn => {
  const { seq, type, summary_text: text, data } = event
  if (type === 'declined') return { seq, kind: 'user', text }
  if (type === 'message' && data.role !== 'agent') return { seq, kind: 'user', text }
  if (type === 'answer' && isRefusal(event, around)) return { seq, kind: 'nothing', text }
  if (type === 'answer' && data.act === 'mandates') return { seq, kind: 'limits', text, isOffer: data.offers === 'mandate' }
  if (type === 'message' || type === 'answer') return { seq, kind: isLastWord(around) ? 'result' : 'agent', text }
  if (type === 'words') return { seq, kind: 'agent', text }
  if (type === 'asked') {
    const { run } = around
    return { seq, kind: 'questions', event, isOpen: isQuestionOpen(around), isReady: run?.state === 'awaiting-input' }
  }
  if (type === 'plan.proposed' && !around.later.some(it => it.type === 'plan.proposed')) return { seq, kind: 'plan' }
  const terms = type === 'proposed' ? termsIn(event) : undefined
  if (terms) return { seq, kind: 'proposal', notice: data.notice ?? '', language: data.language ?? '', ...toOffer(terms, around) }
  return { seq, kind: 'steps', steps: [event], isLive: false }
}

const toOffer = (terms: OpenTerms, around: Around) => {
  const { run, later, events } = around
  const earlier = events.slice(0, events.length - later.length - 1)
  return {
    terms,
    isOpen: isProposalOpen(terms, around),
    isReady: run?.state === 'awaiting-confirmation',
    answer: answerTo(later),
    later,
    before: earlier.flatMap(it => termsIn(it) ?? []).at(-1),
  }
}

/** Events after which an answer is no refusal of the search. */
const beyondSearch = new Set(['chosen', 'asked', 'proposed', 'confirmed', 'job.open'])

/** Whether an answer says that the search found nothing that does the task. */
const isRefusal = ({ data }: RunEvent, { events }: Around): boolean =>
  data.act === 'none' && events.some(it => it.type === 'searched') && !events.some(it => beyondSearch.has(it.type))

/** Whether an answer is the last message of a hire or purchase, which quotes the deliverable. */
const isLastWord = ({ events, later }: Around): boolean =>
  (events.some(it => it.type === 'job.open') || isBuying(events)) &&
  !later.some(it => it.type === 'answer' || it.type === 'message')

/** Whether a run has ended, with or without success. */
export const isOver = (run: Run | undefined): boolean => run?.state === 'completed' || run?.state === 'failed'

/** After one of these events, an earlier question or proposal is no longer open. */
const closing = new Set(['asked', 'proposed', 'plan.proposed', 'declined', 'confirmed', 'job.open'])
const isClosed = ({ later, run }: Around): boolean => isOver(run) || later.some(it => closing.has(it.type))
const isSpoken = ({ later }: Around): boolean => later.some(it => it.type === 'message' || it.type === 'answer')

/**
 * Whether a question is open. It counts as open from its event on, before the run waits for the answer, so that it is not
 * redrawn.
 */
const isQuestionOpen = (around: Around): boolean =>
  !isClosed(around) && (!isSpoken(around) || (around.run?.state === 'awaiting-input' && around.run.questions !== undefined))

/** Whether a proposal is open. A message about it keeps it open until the run proposes something else. */
const isProposalOpen = ({ digest }: OpenTerms, around: Around): boolean => {
  if (isClosed(around)) return false
  if (!isSpoken(around) || around.run?.state === 'working') return true
  const { state, proposal, purchase } = around.run ?? {}
  return state === 'awaiting-confirmation' && (proposal ?? purchase)?.digest === digest
}

const answerTo = (later: RunEvent[]): Ending | undefined => {
  for (const { type, data } of later) {
    if (type === 'declined') return 'declined'
    if (type === 'confirmed' && data.mandate_id) return 'mandated'
    if (type === 'job.open' || type === 'confirmed') return 'hired'
    if (type === 'proposed' || type === 'asked') return 'changed'
  }
  return undefined
}
