import type { Run } from '../../ports.ts'
import type { Caller, Deps } from '../operation.ts'
import { waitUntil } from '../waiting.ts'

/** Nothing more comes without the user, or at all. */
export const isResting = (run: Run): boolean => run.state !== 'working' && run.state !== 'awaiting-job'

/** Waits until the run has something for its user, at the latest at the deadline (epoch ms); then answers with how it stands. */
export const awaitRun = async (
  deps: Deps,
  runId: string,
  { deadline, caller }: { deadline: number; caller: Caller },
): Promise<Run | undefined> => {
  const at = { channel: `run:${runId}`, deadline, signal: caller.signal }
  const rested = await waitUntil(deps, at, async () => {
    const run = await deps.store.run(runId)
    return run && isResting(run) ? run : undefined
  })
  return rested ?? deps.store.run(runId)
}
