import { minuteMs } from '../domain/durations.ts'
import { limits } from '../domain/limits.ts'
import type { Store } from '../ports.ts'
import type { Worker } from './loop.ts'

/** Forgets posted jobs that ended, and what belongs to nobody, once nobody needs them any more. */
export const sweepRecords = ({ store }: { store: Pick<Store, 'sweepRecords'> }): Worker => ({
  name: 'sweepRecords',
  channel: 'deadlines',
  idleMs: minuteMs,
  runOnce: () => store.sweepRecords(limits.strangersKeepMs),
})
