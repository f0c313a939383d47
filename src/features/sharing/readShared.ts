import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { deliverableFor } from '../../domain/jobs/job.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { type Deps, operation } from '../../operations/operation.ts'
import { quoting } from '../../operations/runs/readRun.ts'
import type { Job } from '../../ports.ts'
import { type SharedRecord, sharedRecord } from '../../records/share.ts'
import { shareTables } from './ports.ts'

/** Whether the result of a job may be shown: it was delivered, paid, and its texts are still here. */
export const isShowable = (job: Job | undefined): job is Job => job?.state === 'settled' && deliverableFor(job) !== undefined

/** What a link shows; undefined when it was withdrawn, never existed, or its result is gone. */
export const findShared = async ({ store }: Pick<Deps, 'store'>, token: string): Promise<SharedRecord | undefined> => {
  const share = await shareTables(store).share(token)
  const job = share && (await store.jobOfRun(share.runId))
  // A run that was emptied keeps its row, and its owner must still be the one who shared it.
  if (!share || !isShowable(job) || job.user !== share.wallet) return undefined
  const agent = await store.agent(job.agentId)
  const deliverable = deliverableFor(job) ?? ''
  return {
    offering_name: job.terms.offeringName,
    agent_id: job.agentId,
    agent_name: agent?.name ?? job.terms.agentHandle,
    agent_handle: job.terms.agentHandle,
    price: job.terms.total,
    checked: job.verdict?.pass === true,
    delivered_at: toIso(job.updatedAt),
    main: job.offering.main ?? '',
    deliverable,
    deliverable_chars: deliverable.length,
  }
}

export const readShared = operation({
  name: 'readShared',
  summary: 'A result that somebody shares by a link: the work, its agent, price and date. Nothing about its owner.',
  caller: 'anyone',
  input: z.object({ share_id: z.string().max(100), deliverable: quoting }),
  output: sharedRecord,

  async run({ share_id, deliverable: as }, deps) {
    const shared = await findShared(deps, share_id)
    if (!shared) throw new Problem('not-found', 'This link shows nothing. Its owner may have ended it.')
    const isLong = as === 'reference' && shared.deliverable_chars > limits.shownDeliverableChars
    return isLong ? { ...shared, deliverable: '' } : shared
  },
})
