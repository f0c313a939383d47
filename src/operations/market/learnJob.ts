import { z } from 'zod'
import { toLearnable } from '../../domain/learned.ts'
import type { RunEvent } from '../../domain/runEvent.ts'
import type { Store } from '../../ports.ts'

/** What was understood stands among the first events of a run. */
const firstEvents = 200
const understood = z.object({ task: z.string() })

/**
 * Lets search learn from a settled job: the words of its request now speak for its offering, without the material that came
 * with it. Nobody teaches about an agent of their own, and whoever called one by name said nothing about what it is good for.
 */
export const learnJob = async ({ store }: { store: Store }, jobId: string): Promise<void> => {
  const job = await store.job(jobId)
  if (job?.state !== 'settled') return
  const [events, agent] = await Promise.all([store.runEvents(job.runId, 0, firstEvents), store.agent(job.agentId)])
  if (!agent || agent.owner === job.user) return
  const terms = toLearnable(toRequest(events))
  if (terms.length === 0) return
  await store.learnRequest({ jobId, agentKey: agent.key, offeringId: job.offering.id, payer: job.user, terms })
}

/** The request as the butler read it last. */
const toRequest = (events: RunEvent[]): string =>
  understood.safeParse(events.findLast(it => it.kind === 'understood')?.data).data?.task ?? ''
