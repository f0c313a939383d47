import type { HistoryStep } from '../domain/runs/history.ts'

/** Stores the recorded steps of runs, so that users can export them and developers can replay them. */
export type HistoryTables = {
  /**
   * Keeps steps of a run. A step with the number of a kept one replaces it. Of steps beyond the limits of a run only number and
   * node are kept. With a lease, nothing is kept after another worker took it.
   */
  addRunSteps(runId: string, steps: readonly HistoryStep[], lease?: string): Promise<void>
  /** The kept steps of a run, in order. */
  runSteps(runId: string): Promise<HistoryStep[]>
  /** Deletes a number of histories that are older than `keepMs`, or not among the newest `most`. True if more may be left. */
  sweepRunSteps(of: { keepMs: number; most: number }): Promise<boolean>
}
