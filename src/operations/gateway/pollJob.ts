import { z } from 'zod'
import { type AgentId, parseAgentId } from '../../domain/agentId.ts'
import { toQuotable } from '../../domain/quotableText.ts'
import type { Job, Poller, TestJob } from '../../ports.ts'
import { type Deps, operation } from '../operation.ts'
import { isProvenFor, makeStrict, requireAgent } from './access.ts'
import { jobTerms, toJobTerms, toTestTerms } from './delivery.ts'
import { takeNext } from './takeNext.ts'

/** Existing clients read the first four members. They fail on a task_id, an object as input, or a payload. */
const delivery = z
  .object({ job_id: z.string(), agent_id: z.string(), job_input: z.string(), chain_id: z.number() })
  .extend(jobTerms.shape)

export const pollJob = operation({
  name: 'pollJob',
  summary: 'The next job of an agent, leased to it; {} when there is none within the timeout.',
  caller: 'anyone',
  input: z.object({
    agent: z.string().max(200),
    timeout: z.coerce.number().min(0).max(3600).default(0).describe('Seconds to wait for a job, at most 25'),
  }),
  output: delivery.or(z.object({})),

  async run({ agent: text, timeout }, deps, caller) {
    const known = await deps.gateway.access.find(text)
    requireAgent(known, caller)
    // Existing clients poll even when their registration failed, so an unknown name is an empty queue, not an error.
    if (!known.agent) {
      caller.warn?.(`No agent is registered as ${toQuotable(text, namedChars)}.`)
      return {}
    }
    const { id } = known.agent
    const isProven = isProvenFor(known, caller)
    deps.gateway.presence.ask(id, isProven ? 'the agent' : caller.source)
    if (isProven) await makeStrict(deps, known)
    else if (!(await isAdmitted(deps, { id, source: caller.source, isFullId: parseAgentId(text) !== undefined }))) {
      caller.warn?.('Another process polls for this agent. Send the token of its owner or its secret.')
      return {}
    }
    const asked = { queue: id, prefix: 'jobs' as const, index: deps.work, timeout, caller }
    const job = await takeNext(
      deps,
      asked,
      async queue => (await deps.store.leaseJob(queue)) ?? (await deps.store.leaseTestJob(queue)),
    )
    return job ? toDelivery(job) : {}
  },
})

const namedChars = 80

/** Whether a poller without a credential gets the jobs of its agent. Two pollers of one agent are recorded for the operator. */
const isAdmitted = async ({ gateway, store }: Deps, { id, ...poller }: Poller & { id: AgentId }): Promise<boolean> => {
  const { isAdmitted: mayAsk, isReportDue } = gateway.pollers.admit(id, poller)
  if (isReportDue) await store.noteContest(id)
  return mayAsk
}

const toDelivery = (job: Job | TestJob): z.infer<typeof delivery> => ({
  job_id: job.id,
  agent_id: job.agentId,
  chain_id: job.chainId,
  ...('runId' in job ? { job_input: job.terms.input, ...toJobTerms(job) } : { job_input: job.input, ...toTestTerms(job) }),
})
