import { z } from 'zod'
import { json } from '../../../domain/json.ts'
import { limits } from '../../../domain/limits.ts'
import { Problem } from '../../../domain/problem.ts'
import type { TaskEnd } from '../../../ports.ts'
import { operation } from '../../operation.ts'
import { unwrap } from '../a2aTask.ts'
import { isProvenFor, makeStrict, mayActFor } from '../access.ts'
import { endTask } from '../calls.ts'

const input = z
  .object({
    task_id: z.string().max(100),
    status: z.string().max(40).default('completed'),
    result: json.optional(),
    error: z.string().max(4_000).nullish(),
  })
  .loose()

export const completeTask = operation({
  name: 'completeTask',
  summary: 'Submit the result of a task. Only the first result counts; later ones get the same response and are ignored.',
  caller: 'anyone',
  scope: 'sell',
  input,
  output: z.object({ task_id: z.string(), status: z.string(), accepted: z.boolean() }),

  async run(completion, deps, caller) {
    const { task_id } = completion
    const task = await deps.store.task(task_id)
    // The sender of a task knows its name, so a completion must use the id.
    if (task?.id !== task_id) throw new Problem('task-not-found')
    const known = await deps.gateway.access.find(task.queue)
    if (!mayActFor(known, caller)) throw new Problem(caller.wallet || caller.agentKey ? 'task-not-found' : 'unauthenticated')
    deps.gateway.presence.see(task.queue)
    if (isProvenFor(known, caller)) await makeStrict(deps, known)
    const ended = await endTask(deps, task.id, toEnd(completion))
    const now = ended ?? (await deps.store.task(task_id)) ?? task
    return { task_id, status: now.state, accepted: ended !== undefined }
  },
})

const toEnd = ({ status, result, error }: z.infer<typeof input>): TaskEnd => {
  const inside = unwrap(result ?? undefined)
  if (status === 'failed' || inside.error !== undefined)
    return { state: 'failed', error: error || inside.error || 'no reason given' }
  if (Buffer.byteLength(JSON.stringify(result ?? null)) > limits.taskBytes)
    throw new Problem('body-too-large', 'A result has at most 512 KiB.')
  return { state: 'completed', result: result ?? null }
}
