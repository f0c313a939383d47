import type { Run } from './rows.ts'

/** The butler's graph as a port: one thread per run. */
export type Butler = {
  /**
   * Continues the thread from its last checkpoint until it waits or ends. It may be called repeatedly. With a lease, it rejects
   * at the first step after another worker took the lease.
   */
  advance(run: Run, lease?: string): Promise<Pick<Run, 'state' | 'interruptId' | 'answer' | 'questions' | 'proposal' | 'jobId'>>
}
