import type { Run } from './rows.ts'

/** Where a run stands after its thread went as far as it could. */
export type Standing = Pick<Run, 'state' | 'interruptId' | 'answer' | 'questions' | 'proposal' | 'jobId'> &
  Partial<Pick<Run, 'act' | 'choices' | 'nextTasks'>>

/** The graph, as the outside sees it: one thread a run. */
export type Butler = {
  /**
   * Goes on from wherever the thread stands, until it waits or ends. Safe to call again at any time. Under a lease it rejects
   * at the first step after the hold of the run went to somebody else.
   */
  advance(run: Run, lease?: string): Promise<Standing>
}
