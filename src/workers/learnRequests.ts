import { z } from 'zod'
import { learnJob } from '../operations/market/learnJob.ts'
import type { Store } from '../ports.ts'
import { inSequence } from './inSequence.ts'
import type { Worker } from './loop.ts'

const atOnce = 100
const leaseMs = 30_000
/** What a settled job teaches is not urgent, and each step makes every process change its index. */
const restMs = 5_000
const payload = z.object({ jobId: z.string() })

/** Passes settled jobs to search, which learns from them. */
export const learnRequests = (deps: { store: Store }): Worker => ({
  name: 'learnRequests',
  channel: 'outbox:learn',
  idleMs: restMs,
  restMs,
  async runOnce() {
    const rows = await deps.store.claimOutbox('learn', leaseMs, atOnce)
    await inSequence(rows, row => learnJob(deps, payload.parse(row.payload).jobId))
    const keys = rows.map(row => row.key)
    if (keys.length > 0) await deps.store.doneOutbox('learn', keys)
    return rows.length === atOnce
  },
})
