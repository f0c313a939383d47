import type { Store } from '../ports.ts'
import type { Worker } from './loop.ts'

/** Time between two looks at a chain on which nothing of ours is under way, in ms. */
const restMs = 3_000
/**
 * How long the workers stay awake after the last transaction of ours, in ms, because its events are still to be read: at least
 * half of this time.
 */
const lingerMs = 10_000

type Reach = { store: Pick<Store, 'activeSenders'>; chainId: number; blockTimeMs: number }

/**
 * Lets the workers of one chain read it twice a block while something of ours is under way there, because reading more often
 * finds nothing new, and rarely otherwise. A chain without a block time announces its blocks, which wakes its workers.
 * While something is under way there, they also keep their own pace.
 */
export const createPace = ({ store, chainId, blockTimeMs }: Reach): ((worker: Worker) => Worker) => {
  let fastUntil = performance.now() + lingerMs
  return worker => {
    const { idleMs } = worker
    return {
      ...worker,
      get idleMs() {
        return performance.now() < fastUntil ? Math.max(idleMs, blockTimeMs / 2) : restMs
      },
      async runOnce() {
        // Asked again only when half of the time is over: while much is under way, workers are woken many times a second.
        const isSoonOver = fastUntil - performance.now() < lingerMs / 2
        if (isSoonOver && (await store.activeSenders(chainId)).length > 0) fastUntil = performance.now() + lingerMs
        return worker.runOnce()
      },
    }
  }
}
