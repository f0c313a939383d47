import { limits } from '../../domain/limits.ts'
import type { WorkIndex } from '../../ports.ts'
import type { Caller, Deps } from '../operation.ts'
import { waitUntil } from '../waiting.ts'

type Asked = { queue: string; prefix: 'jobs' | 'tasks'; index: WorkIndex; timeout: number; caller: Caller }

/** The next work of a queue, leased to the asker, who waits for it up to `timeout` seconds; at most 25 count. */
export const takeNext = <T>(
  deps: Pick<Deps, 'hints' | 'clock'>,
  { queue, prefix, index, timeout, caller }: Asked,
  lease: (queue: string) => Promise<T | undefined>,
): Promise<T | undefined> => {
  // Most polls end here: nobody is listened to, and nothing is read.
  if (timeout === 0 && !index.mayHave(queue)) return Promise.resolve(undefined)
  const { signal } = caller
  const deadline = deps.clock.now() + Math.min(timeout * 1000, limits.pollWaitMs)
  return waitUntil(deps, { channel: `${prefix}:${queue}`, deadline, signal }, async () => {
    // An empty poll asks memory only. Somebody who has gone away is given nothing: the lease would run for nobody.
    if (!index.mayHave(queue) || signal?.aborted) return undefined
    const work = await lease(queue)
    if (!work) index.drop(queue)
    return work
  })
}
