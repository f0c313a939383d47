import { ifReadable } from '../domain/problem.ts'
import { endCall } from '../operations/gateway/calls.ts'
import type { Store } from '../ports.ts'
import type { Worker } from './loop.ts'

/** Requeues gateway tasks whose lease has expired, and ends those that no agent takes, with the runs of their callers. */
export const sweepTasks = ({ store }: { store: Pick<Store, 'atomically'> }): Worker => ({
  name: 'sweepTasks',
  channel: 'leases',
  idleMs: 5_000,
  async runOnce() {
    await store.atomically(async tables => {
      for (const task of await tables.sweepTasks()) await ifReadable(() => endCall(tables, task))
    })
    return false
  },
})
