import { minuteMs } from '../domain/durations.ts'
import { limits } from '../domain/limits.ts'
import type { Store } from '../ports.ts'
import type { Worker } from './loop.ts'

/** Deletes old posted jobs that have ended, old test jobs, and old records without an owner. */
export const sweepRecords = ({ store }: { store: Pick<Store, 'sweepRecords'> }): Worker => ({
  name: 'sweepRecords',
  channel: 'deadlines',
  idleMs: minuteMs,
  runOnce: () => store.sweepRecords(limits.ownerlessKeepMs),
})
