import { z } from 'zod'
import { type Revision, revision } from '../../domain/acceptance.ts'
import type { Job } from '../../ports.ts'
import { operation } from '../operation.ts'
import { requireAgent } from './access.ts'
import { toRevision } from './revision.ts'
import { takeNext } from './takeNext.ts'

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
  output: delivery.extend({ revision: revision.optional() }).or(z.object({})),

  async run({ agent: text, timeout }, deps, caller) {
    const known = await deps.gateway.access.find(text)
    requireAgent(known, caller)
    // Agents whose registration failed ask for ever: an unknown name is an empty queue.
    if (!known.agent) return {}
    const { id } = known.agent
    deps.gateway.presence.ask(id)
    const asked = { queue: id, prefix: 'jobs' as const, index: deps.work, timeout, caller }
    const job = await takeNext(deps, asked, queue => deps.store.leaseJob(queue))
    return job ? toDelivery(job) : {}
  },
})

const toDelivery = (job: Job): z.infer<typeof delivery> & { revision?: Revision } => ({
  job_id: job.id,
  agent_id: job.agentId,
  job_input: job.terms.input,
  chain_id: job.chainId,
  ...toRevision(job),
})
