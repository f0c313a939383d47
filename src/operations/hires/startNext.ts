import { resolveReferences } from '../../language/text/references.ts'
import type { Deps } from '../operation.ts'
import { readInput } from './recall.ts'

/**
 * Starts a run for the first of the further tasks of a message; the others follow it. It does nothing if this run already did
 * so.
 */
export const startNext = async ({ store }: Pick<Deps, 'store'>, runId: string, tasks: string[]): Promise<void> => {
  const [text, ...later] = tasks
  const run = await store.run(runId)
  if (!run || text === undefined) return
  const job = await store.jobOfRun(runId)
  const task = resolveReferences(text, readInput(job?.terms.input ?? ''))
  const id = `${runId}_next`
  await store.atomically(async tables => {
    if (await tables.run(id)) return
    const { conversationId, user, chainId } = run
    await tables.addRun({ id, conversationId, user, chainId, task, follows: runId })
    await tables.addRunEvent(id, { kind: 'message', summary: task, data: { role: 'user', follows: runId }, key: 'message' })
    const waiting = later.map(it => ({ text: it, state: 'waiting' as const }))
    if (waiting.length > 0) await tables.setNextTasks(id, waiting)
    await tables.setNextTasks(runId, [{ text, run_id: id, state: 'proposed' }, ...waiting])
  })
}
