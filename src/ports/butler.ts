import type { Run } from './rows.ts'

/** The state of a run after its thread was advanced as far as possible. */
export type RunSnapshot = Pick<Run, 'state' | 'interruptId' | 'answer' | 'questions' | 'proposal' | 'jobId'> &
  Partial<Pick<Run, 'act' | 'choices' | 'nextTasks'>>

/** The butler's graph as a port: one thread per run. */
export type Butler = {
  /**
   * Continues the thread from its last checkpoint until it waits or ends. It may be called repeatedly. With a lease, it rejects
   * at the first step after another worker took the lease.
   */
  advance(run: Run, lease?: string): Promise<RunSnapshot>
}
