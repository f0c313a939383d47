import { z } from 'zod'
import { learnJob } from '../operations/market/learning.ts'
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
    const learned: string[] = []
    const learn = async ({ key, payload: it }: (typeof rows)[number]) => {
      await learnJob(deps, payload.parse(it).jobId)
      learned.push(key)
    }
    try {
      await inSequence(rows, learn)
    } finally {
      // A job that cannot be learned from does not bring back the others.
      if (learned.length > 0) await deps.store.doneOutbox('learn', learned)
    }
    return rows.length === atOnce
  },
})
