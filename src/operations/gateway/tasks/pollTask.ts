import { z } from 'zod'
import { json } from '../../../domain/json.ts'
import type { GatewayTask } from '../../../ports.ts'
import { operation } from '../../operation.ts'
import { isProvenFor, makeStrict, requireAgent } from '../access.ts'
import { warnOfOther } from '../pollJob.ts'
import { joinQueue, takeNext } from '../taskQueue.ts'

const delivery = z.object({ task_id: z.string(), payload: json })

export const pollTask = operation({
  name: 'pollTask',
  summary: 'The next task of an agent, leased to it; {} when there is none within the timeout.',
  caller: 'anyone',
  scope: 'sell',
  input: z.object({
    agent: z.string().max(200),
    timeout: z.coerce.number().min(0).max(3600).default(0).describe('Seconds to wait for a task, at most 25'),
  }),
  output: delivery.or(z.object({})),

  async run({ agent, timeout }, deps, caller) {
    const found = await joinQueue(deps, agent)
    if (!found) return {}
    requireAgent(found.known, caller)
    const isProven = isProvenFor(found.known, caller)
    if (isProven) await makeStrict(deps, found.known)
    deps.gateway.presence.ask(found.queue, isProven ? 'the agent' : caller.source)
    if (!isProven && deps.gateway.pollers.isElsewhere(found.queue, caller.source)) {
      warnOfOther(caller)
      return {}
    }
    const asked = { queue: found.queue, prefix: 'tasks' as const, index: deps.gateway.tasks, timeout, caller }
    const task = await takeNext(deps, asked, async (queue, mayHaveMore) => {
      const leased = await deps.store.leaseTask(queue)
      if (leased) mayHaveMore()
      return leased
    })
    return task ? toDelivery(task) : {}
  },
})

const toDelivery = ({ id, payload }: GatewayTask): z.infer<typeof delivery> => ({ task_id: id, payload })
