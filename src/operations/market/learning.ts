import { z } from 'zod'
import type { RunEvent } from '../../domain/runs/runEvent.ts'
import { toLearnable } from '../../language/words/learnable.ts'
import type { Store } from '../../ports.ts'
import { operation, userOf } from '../operation.ts'

/** The number of events that are searched for `understood`, which is among the first events of a run. */
const firstEvents = 200
const understood = z.object({ task: z.string() })

/**
 * Passes the request of a settled job to search, for its offering and without attached material. Jobs of the agent's own owner
 * and direct calls are skipped, because they say nothing about the offering's fit.
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

/** The request as the butler last understood it. Messages without a request, such as a yes, are skipped. */
const toRequest = (events: RunEvent[]): string =>
  events
    .filter(it => it.kind === 'understood')
    .map(it => understood.safeParse(it.data).data?.task)
    .findLast(it => it !== undefined) ?? ''

export const setLearning = operation({
  name: 'setLearning',
  summary:
    'Set whether search may learn from the words of your completed requests (default: yes). ' +
    'Switching it off deletes what was learned from you.',
  scope: 'hire',
  input: z.object({ enabled: z.boolean() }),
  output: z.object({ enabled: z.boolean() }),

  async run({ enabled }, { store }, caller) {
    await store.setLearning(userOf(caller), enabled)
    return { enabled }
  },
})
