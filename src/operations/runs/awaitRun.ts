import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import type { Run } from '../../ports.ts'
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
 * Waits until the run rests, at most until the deadline (epoch ms). The channel `rest:` of the run is notified then.
 * @returns the present state of the run
 * @throws Problem run-not-found
 */
export const awaitRun = async (
  deps: Deps,
  runId: string,
  { deadline, caller }: { deadline: number; caller: Caller },
): Promise<Run> => {
  caller.onRun?.(runId)
  const at = { channel: `rest:${runId}`, deadline, signal: caller.signal }
  const rested = await waitUntil(deps, at, async () => {
    const run = await deps.store.run(runId)
    return run && isResting(run) ? run : undefined
  })
  const now = rested ?? (await deps.store.run(runId))
  if (!now) throw new Problem('run-not-found')
  return now
}
