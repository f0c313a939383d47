import type { TurnAct } from '../domain/runs/acts.ts'
import type { HistoryStep } from '../domain/runs/history.ts'
import type { Proposal } from '../domain/runs/proposal.ts'
import type { PurchaseProposal } from '../domain/runs/purchaseTerms.ts'
import type { Choice, Question } from '../domain/runs/question.ts'
import type { NewRunEvent } from '../domain/runs/runEvent.ts'
import type { ClaimedRun, Run } from './rows.ts'

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
    /** Whether the conversation had no other run when this one was claimed. */
    isAlone?: boolean | undefined
    /** Events of the run that were not written yet, which are written with the state. */
    told?: readonly NewRunEvent[]
    /** The news of the thread, which are stored with the state. */
    thread?: ThreadState | undefined
  }

/** A checkpoint of a graph's thread, encoded. */
export type CheckpointRow = { threadId: string; namespace: string; id: string; parentId: string | undefined } & Record<
  'type' | 'metadataType',
  string
> &
  Record<'body' | 'metadata', Uint8Array>

/** A result of a node, an interrupt or an error, encoded. It belongs to a checkpoint; `place` orders those of a task. */
export type CheckpointWrite = { threadId: string; namespace: string; checkpointId: string } & WriteOfTask
export type WriteOfTask = { taskId: string; place: number; channel: string; type: string; body: Uint8Array }

/** What a lease made of a thread: its newest checkpoint, unless that was stored before, and writes of the newest. */
export type ThreadState = {
  checkpoint: CheckpointRow | undefined
  writes: readonly CheckpointWrite[]
  /** Called after both were stored. */
  wasStored(): void
}

/** Keeps what is made of leased threads until it is stored with their runs. */
export type ThreadKeeper = {
  /** Undefined without news. */
  takeThread(threadId: string, lease: string): ThreadState | undefined
  /** Stores it now, because the step failed. Rejects when the lease was lost. */
  saveThread(threadId: string, lease: string): Promise<void>
}

/** The butler's graph as a port: one thread per run. */
export type Butler = {
  /**
   * Continues the thread from its last checkpoint until it waits or ends. It may be called repeatedly. With a lease, it rejects
   * at the first step after another worker took the lease.
   */
  advance(run: ClaimedRun, lease?: string): Promise<RunSnapshot>
}
