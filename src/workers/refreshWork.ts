import type { WorkIndex } from '../ports.ts'
import type { Worker } from './loop.ts'

/** Bounds how long a job may wait whose hint was lost. */
export const refreshWork = ({ work }: { work: WorkIndex }): Worker => ({
  name: 'refreshWork',
  channel: 'work',
  idleMs: 5_000,
  runOnce: async () => {
    await work.refresh()
    return false
  },
})
