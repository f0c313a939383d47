import type { TurnAct } from '../domain/runs/acts.ts'
import type { Choice } from '../domain/runs/choice.ts'
import type { HistoryStep } from '../domain/runs/history.ts'
import type { Proposal } from '../domain/runs/proposal.ts'
import type { Question } from '../domain/runs/question.ts'
import type { PurchaseProposal } from '../domain/x402/purchaseProposal.ts'
import type { Run } from './rows.ts'

/** A turn that is answered in words. */
export type Turn = {
  runId: string
  /** Names the turn in the run: what it does is done once. */
  turn: number
  act: TurnAct
  text: string
  proposal?: Proposal | undefined
  purchase?: PurchaseProposal | undefined
  questions: Question[]
  choices: Choice[]
  /** What a model says is asked about; empty where the words tell it. */
  topic?: string | undefined
  /** Tasks that were said besides. */
  next: string[]
}

/** The state of a run after its thread was advanced as far as possible. */
export type RunSnapshot = Pick<Run, 'state' | 'interruptId' | 'answer' | 'questions' | 'proposal' | 'jobId'> &
  Partial<Pick<Run, 'act' | 'choices' | 'nextTasks' | 'unplanned'>> & {
    /** The recorded steps since the last checkpoint, which are kept with the state. */
    steps?: readonly HistoryStep[]
  }

/** The butler's graph as a port: one thread per run. */
export type Butler = {
  /**
   * Continues the thread from its last checkpoint until it waits or ends. It may be called repeatedly. With a lease, it rejects
   * at the first step after another worker took the lease.
   */
  advance(run: Run, lease?: string): Promise<RunSnapshot>
}
