import type { Store } from '../ports.ts'
import type { Worker } from './loop.ts'

const atOnce = 100

/** Requeues jobs whose lease has expired. */
export const lapseLeases = ({ store }: { store: Store }): Worker => ({
  name: 'lapseLeases',
  channel: 'leases',
  idleMs: 1_000,
  async runOnce() {
    const lapsed = await store.lapsedJobs(atOnce)
    for (const job of lapsed) await store.moveJob(job.id, 'lapse')
    return lapsed.length === atOnce
  },
})
