import type { Run } from './rows.ts'

/** The graph, as the outside sees it: one thread a run. */
export type Butler = {
  /**
   * Goes on from wherever the thread stands, until it waits or ends. Safe to call again at any time. Under a lease it rejects
   * at the first step after the hold of the run went to somebody else.
   */
  advance(run: Run, lease?: string): Promise<Pick<Run, 'state' | 'interruptId' | 'answer' | 'questions' | 'proposal' | 'jobId'>>
}
