import { z } from 'zod'
import { type AgentId, parseAgentId } from '../domain/agentId.ts'
import { limits } from '../domain/limits.ts'
import type { Job } from '../ports.ts'
import { type Caller, type Deps, operation } from './operation.ts'
import { resolveAgent } from './resolveAgent.ts'
import { waitUntil } from './waiting.ts'

/** Exactly these members: existing clients break on a task_id, an object as input or a null payload beside them. */
const delivery = z.object({ job_id: z.string(), agent_id: z.string(), job_input: z.string(), chain_id: z.number() })

export const pollJob = operation({
  name: 'pollJob',
  summary: 'The next job of an agent, leased to it; {} when there is none within the timeout.',
  caller: 'anyone',
  input: z.object({
    agent: z.string().max(200),
    timeout: z.coerce.number().min(0).max(3600).default(0).describe('Seconds to wait for a job; at most 25 count'),
  }),
  output: delivery.or(z.object({})),

  async run({ agent, timeout }, deps, caller) {
    const agentId = parseAgentId(agent)?.id ?? (await resolveAgent(deps, agent))?.id
    if (!agentId) return {}
    const job = await nextJob(agentId, Math.min(timeout * 1000, limits.pollWaitMs), { deps, caller })
    return job ? toDelivery(job) : {}
  },
})

const nextJob = async (
  agentId: AgentId,
  waitMs: number,
  { deps, caller }: { deps: Deps; caller: Caller },
): Promise<Job | undefined> => {
  const at = { channel: `jobs:${agentId}`, deadline: deps.clock.now() + waitMs, signal: caller.signal }
  return waitUntil(deps, at, async () => {
    // An empty poll asks memory only. Somebody who has gone away is given nothing: the lease would run for nobody.
    if (!deps.work.mayHave(agentId) || caller.signal?.aborted) return undefined
    const job = await deps.store.leaseJob(agentId)
    if (!job) deps.work.drop(agentId)
    return job
  })
}

const toDelivery = (job: Job): z.infer<typeof delivery> => ({
  job_id: job.id,
  agent_id: job.agentId,
  job_input: job.terms.input,
  chain_id: job.chainId,
})
