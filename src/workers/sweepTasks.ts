import type { Store } from '../ports.ts'
import type { Worker } from './loop.ts'

/** Offers tasks again whose agent went silent, and ends those that nobody does. */
export const sweepTasks = ({ store }: { store: Pick<Store, 'sweepTasks'> }): Worker => ({
  name: 'sweepTasks',
  channel: 'leases',
  idleMs: 5_000,
  async runOnce() {
    await store.sweepTasks()
    return false
  },
})
