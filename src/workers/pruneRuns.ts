import { minuteMs } from '../domain/durations.ts'
import { prunedAny } from '../domain/operator/retention.ts'
import type { Store } from '../ports.ts'
import type { Worker } from './loop.ts'

/** Removes the texts of runs that ended before the retention time, some runs at a time. */
export const pruneRuns = ({ store, keepMs }: { store: Pick<Store, 'pruneRuns'>; keepMs: number }): Worker => ({
  name: 'pruneRuns',
  channel: 'deadlines',
  idleMs: minuteMs,
  async runOnce() {
    return prunedAny(await store.pruneRuns(keepMs))
  },
})
