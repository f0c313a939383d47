import type { Store } from '../ports.ts'
import { inSequence } from './inSequence.ts'
import type { Worker } from './loop.ts'

const atOnce = 100

/** Requeues jobs whose lease has expired, and delivers again what a process that has ended leased. */
export const lapseLeases = ({ store }: { store: Store }): Worker => ({
  name: 'lapseLeases',
  channel: 'leases',
  idleMs: 1_000,
  async runOnce() {
    await store.setLostUndelivered()
    const lapsed = await store.lapsedJobs(atOnce)
    await inSequence(lapsed, job => store.moveJob(job.id, 'lapse', { from: job }))
    return lapsed.length === atOnce
  },
})
