import type { WorkIndex } from '../ports.ts'
import type { Worker } from './loop.ts'

/** Rebuilds the index of waiting work, so that a lost wake-up delays a job only briefly. */
export const refreshWork = ({ work }: { work: WorkIndex }): Worker => ({
  name: 'refreshWork',
  channel: 'work',
  idleMs: 5_000,
  runOnce: async () => {
    await work.refresh()
    return false
  },
})
