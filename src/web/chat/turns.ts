import type { Proposal } from '../../domain/proposal.ts'
import type { Run, RunEvent } from '../client/wire.ts'

/** What became of a proposal. */
export type Ending = 'hired' | 'mandated' | 'declined' | 'changed'

/** One thing in a conversation, as it is shown. */
export type Turn =
  | { kind: 'user'; text: string }
  | { kind: 'agent'; text: string }
  | { kind: 'steps'; steps: RunEvent[]; isLive: boolean }
  | { kind: 'questions'; event: RunEvent; isOpen: boolean; isReady: boolean }
  | {
      kind: 'proposal'
      proposal: Proposal
      isOpen: boolean
      isReady: boolean
      answer: Ending | undefined
    }

/** The turns of a run, read off its log alone: what one tab shows, every other one shows after it. */
export const toTurns = (events: RunEvent[], run: Run | undefined): Turn[] => {
  const turns: Turn[] = []
  for (const [index, event] of events.entries()) {
    const turn = toTurn(event, events.slice(index + 1), run)
    const last = turns.at(-1)
    if (turn.kind === 'steps' && last?.kind === 'steps') last.steps.push(event)
    else turns.push(turn)
  }
  const last = turns.at(-1)
  if (last?.kind === 'steps' && run) last.isLive = run.state === 'working' || run.state === 'awaiting-job'
  return turns
}

/** After one of these, a question or proposal is no longer open. */
const ending = new Set(['asked', 'proposed', 'message', 'declined', 'answer', 'confirmed', 'job.open'])

/** What is open is so from its event on, though it can be answered only when the run waits: nothing is redrawn in between. */
const toTurn = (event: RunEvent, later: RunEvent[], run: Run | undefined): Turn => {
  const { type, summary_text: text, data } = event
  if (type === 'declined') return { kind: 'user', text }
  if (type === 'message') return { kind: data.role === 'agent' ? 'agent' : 'user', text }
  if (type === 'answer') return { kind: 'agent', text }
  const isOpen = !later.some(it => ending.has(it.type)) && run?.state !== 'completed' && run?.state !== 'failed'
  if (type === 'asked') return { kind: 'questions', event, isOpen, isReady: run?.state === 'awaiting-input' }
  if (type === 'proposed' && data.proposal)
    return {
      kind: 'proposal',
      proposal: data.proposal,
      isOpen,
      isReady: run?.state === 'awaiting-confirmation',
      answer: answerTo(later),
    }
  return { kind: 'steps', steps: [event], isLive: false }
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
