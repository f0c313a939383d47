import { toLearnable } from '../domain/learned.ts'
import type { Store } from '../ports.ts'

/**
 * Lets search learn from a settled job: the words of its request now speak for its offering. Nobody teaches about an agent of
 * their own.
 */
export const learnJob = async ({ store }: { store: Store }, jobId: string): Promise<void> => {
  const job = await store.job(jobId)
  if (job?.state !== 'settled') return
  const [run, agent] = await Promise.all([store.run(job.runId), store.agent(job.agentId)])
  if (!run || !agent || agent.owner === job.user) return
  const terms = toLearnable(run.task)
  if (terms.length === 0) return
  await store.learnRequest({ jobId, agentKey: agent.key, offeringId: job.offering.id, payer: job.user, terms })
}
