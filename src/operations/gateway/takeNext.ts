import { limits } from '../../domain/limits.ts'
import type { WorkIndex } from '../../ports.ts'
import type { Caller, Deps } from '../operation.ts'
import { waitUntil } from '../waiting.ts'

type Asked = { queue: string; prefix: 'jobs' | 'tasks'; index: WorkIndex; timeout: number; caller: Caller }

/**
 * Leases the next work of a queue, waiting up to `timeout` seconds, at most 25. The lease says when the queue may have more,
 * unless its transaction notifies that.
 */
export const takeNext = <T>(
  deps: Pick<Deps, 'wakeups' | 'clock'>,
  { queue, prefix, index, timeout, caller }: Asked,
  lease: (queue: string, mayHaveMore: () => void) => Promise<T | undefined>,
): Promise<T | undefined> => {
  // Most polls end here, without a listener and without a read.
  if (timeout === 0 && !index.mayHave(queue)) return Promise.resolve(undefined)
  const { signal } = caller
  const deadline = deps.clock.now() + Math.min(timeout * 1000, limits.pollWaitMs)
  return waitUntil(deps, { channel: `${prefix}:${queue}`, deadline, signal }, async () => {
    // An empty poll uses memory only. A disconnected caller gets no work, because its lease would be wasted.
    if (!index.mayHave(queue) || signal?.aborted) return undefined
    // Dropped before the lease, so that work which comes meanwhile is noted.
    index.drop(queue)
    const mayHaveMore = () => index.add(queue)
    return lease(queue, mayHaveMore).catch((error: unknown) => {
      mayHaveMore()
      throw error
    })
  })
}
