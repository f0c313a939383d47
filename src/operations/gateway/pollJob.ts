import { z } from 'zod'
import { type AgentId, parseAgentId } from '../../domain/agents/agentId.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import type { Job, Known, Poller } from '../../ports.ts'
import { type Delivery, delivery } from '../../records/delivery.ts'
import { linkInputFiles } from '../files/jobFiles.ts'
import { type Caller, type Deps, operation } from '../operation.ts'
import { isProvenFor, makeStrict, requireAgent } from './access.ts'
import { toJobTerms } from './delivery.ts'
import { takeNext } from './taskQueue.ts'

export const pollJob = operation({
  name: 'pollJob',
  summary: 'The next job of an agent, leased to it; {} when there is none within the timeout.',
  caller: 'anyone',
  scope: 'sell',
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
    else if (!(await isAdmitted(deps, id, { known, poller: toPoller(text, caller.source) }))) {
      warnOfOther(caller)
      return {}
    }
    const asked = { queue: id, prefix: 'jobs' as const, index: deps.work, timeout, caller }
    const job = await takeNext(deps, asked, async (queue, mayHaveMore) => {
      const hired = await deps.store.leaseJob(queue)
      if (hired) return { ...toDelivery(hired), ...(await linkInputFiles(deps, hired)) }
      const other = await leaseOther(queue, deps)
      if (other) mayHaveMore()
      return other
    })
    if (!job) return {}
    deps.gateway.takers.note(job.job_id, isProven ? undefined : { source: caller.source })
    return job
  },
})

const namedChars = 80

/** Tells a caller that its agent is served by another process. */
export const warnOfOther = ({ warn }: Caller): void =>
  warn?.('Another process polls for this agent. Send the token of its owner or its secret.')

/** A poller without a credential, by the text with which it names the agent. */
export const toPoller = (text: string, source: Caller['source']): Poller => ({
  source,
  isFullId: parseAgentId(text) !== undefined,
})

/**
 * Whether a poller without a credential gets the jobs of its agent. Two pollers of one agent are recorded for the operator. When
 * they have different addresses and the owner has a secret to send, the agent becomes strict.
 * @throws Problem unauthenticated when it became strict
 */
const isAdmitted = async (deps: Deps, id: AgentId, { known, poller }: { known: Known; poller: Poller }): Promise<boolean> => {
  const { pollers, access } = deps.gateway
  const seat = pollers.admit(id, poller)
  if (seat.isReportDue) await deps.store.noteContest(id)
  if (seat.isElsewhere && known.hasSecret) {
    await makeStrict(deps, known)
    requireAgent(await access.find(id), { wallet: undefined })
  }
  return seat.isAdmitted
}

const toDelivery = (job: Job): Delivery => ({
  job_id: job.id,
  agent_id: job.agentId,
  chain_id: job.chainId,
  job_input: job.terms.input,
  ...toJobTerms(job),
})

const leaseOther = async (id: AgentId, deps: Deps): Promise<Delivery | undefined> => {
  for (const it of deps.otherJobs ?? []) {
    const leased = await it.lease?.(id, deps)
    if (leased) return leased
  }
  return undefined
}
