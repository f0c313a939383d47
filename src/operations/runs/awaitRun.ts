import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import type { Butler, Run } from '../../ports.ts'
import type { AdvanceRun } from '../deps.ts'
import type { Caller, Deps } from '../operation.ts'
import { waitUntil } from '../waiting.ts'

/** How long a caller of an operation on a run waits for its result, in ms. */
export const waitMs = z
  .number()
  .int()
  .min(0)
  .max(limits.invokeWaitMs)
  .default(limits.invokeWaitMs)
  .describe('Milliseconds to wait for the result')

export const isResting = (run: Pick<Run, 'state'>): boolean => run.state !== 'working' && run.state !== 'awaiting-job'

/**
 * Waits until the run rests, at most until the deadline (epoch ms). The channel `rest:` of the run is notified then. `isBegun`: it
 * was woken a moment ago.
 * @returns the present state of the run
 * @throws Problem run-not-found
 */
export const awaitRun = async (deps: Deps, runId: string, of: Awaiting): Promise<Run> =>
  (await awaitRunWith(deps, runId, { ...of, beside: async () => undefined })).run

type Awaiting = { deadline: number; caller: Caller; isBegun?: true | undefined }

/** Like `awaitRun`, with other rows that are read together with the run, because a database may be far away. */
export const awaitRunWith = async <T>(
  deps: Deps,
  runId: string,
  { deadline, caller, isBegun, beside }: Awaiting & { beside(): Promise<T> },
): Promise<{ run: Run; rows: T }> => {
  caller.onRun?.(runId)
  const at = { channel: `rest:${runId}`, deadline, signal: caller.signal, isKnown: isBegun }
  const read = async () => {
    const [run, rows] = await Promise.all([deps.store.run(runId), beside()])
    return run && { run, rows }
  }
  const rested = await waitUntil(deps, at, async () => {
    const found = await read()
    return found && isResting(found.run) ? found : undefined
  })
  const now = rested ?? (await read())
  if (!now) throw new Problem('run-not-found')
  return now
}

/** Adds the runs of features to a butler: each feature advances its own by code alone, and all other runs the butler. */
export const withAdvances = (butler: Butler, advances: readonly AdvanceRun[], deps: Deps): Butler => ({
  async advance(run, lease) {
    for (const advance of advances) {
      const step = await advance(run, deps)
      if (step) return step
    }
    return butler.advance(run, lease)
  },
})
