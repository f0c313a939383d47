import type { Worker } from './loop.ts'

/** Time between two looks at a chain on which nothing of ours is under way, in ms. */
const restMs = 3_000
/** The same while something is, on a chain that announces its blocks: these looks only make up for lost announcements. */
const announcedMs = 1_000
/** How long the workers stay awake after the last transaction of ours, in ms, because its events are still to be read. */
const lingerMs = 10_000

export type Pace = {
  /** Lets a worker read the chain at the pace of what is under way there. */
  paced(worker: Worker): Worker
  /** Called by the sender whenever something of ours is under way on the chain. */
  stayAwake(): void
}

/**
 * Lets the workers of one chain read it twice a block while something of ours is under way there, because reading more often
 * finds nothing new, and rarely otherwise. A chain without a block time announces its blocks, which wakes its workers.
 */
export const createPace = ({ blockTimeMs }: { blockTimeMs: number }): Pace => {
  let fastUntil = performance.now() + lingerMs
  const fastMs = blockTimeMs > 0 ? blockTimeMs / 2 : announcedMs
  return {
    paced: ({ idleMs, ...worker }) => ({
      ...worker,
      get idleMs() {
        return performance.now() < fastUntil ? Math.max(idleMs, fastMs) : restMs
      },
    }),
    stayAwake() {
      fastUntil = performance.now() + lingerMs
    },
  }
}
