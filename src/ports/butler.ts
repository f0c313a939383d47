import type { Run } from './rows.ts'

/** Where a run stands after its thread went as far as it could. */
export type Standing = Pick<Run, 'state' | 'interruptId' | 'answer' | 'questions' | 'proposal' | 'jobId'> &
  Partial<Pick<Run, 'act' | 'choices' | 'nextTasks'>>

/** The butler's graph as a port: one thread per run. */
export type Butler = {
  /**
   * Continues the thread from its last checkpoint until it waits or ends. It may be called repeatedly. With a lease, it rejects
   * at the first step after another worker took the lease.
   */
  advance(run: Run, lease?: string): Promise<Standing>
}
