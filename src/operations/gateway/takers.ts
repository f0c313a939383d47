import { limits } from '../../domain/limits.ts'
import type { Takers } from '../../ports.ts'
import { createBounded } from './bounded.ts'

/**
 * Remembers the address that took each job without a credential, so that its word counts as that of the agent. In
 * memory only: after a restart, and in another process, the word of nobody counts so.
 */
export const createTakers = (): Takers => {
  const byJob = createBounded<{ source: string | undefined }>(limits.presences)
  return {
    note(jobId, taker) {
      if (taker) byJob.set(jobId, taker)
      else byJob.delete(jobId)
    },
    isTaker: (jobId, source) => {
      const taken = byJob.get(jobId)
      return taken !== undefined && taken.source === source
    },
  }
}
