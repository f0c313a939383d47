import type { HistoryStep } from '../domain/history.ts'

/** What runs read and decided, for their users and for replays. */
export type HistoryTables = {
  /**
   * Keeps steps of a run. A step with the number of a kept one replaces it. Of steps beyond the limits of a run only number and
   * node are kept. With a lease, nothing is kept after another worker took it.
   */
  addRunSteps(runId: string, steps: readonly HistoryStep[], lease?: string): Promise<void>
  /** The kept steps of a run, in order. */
  runSteps(runId: string): Promise<HistoryStep[]>
  /** Deletes a number of steps that are older than `keepMs`, or not among the newest `most`. True if more may be left. */
  sweepRunSteps(of: { keepMs: number; most: number }): Promise<boolean>
}
