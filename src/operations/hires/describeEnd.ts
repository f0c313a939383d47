import { isPaidCall } from '../../domain/job.ts'
import { toEndText } from '../../domain/runTexts/ends.ts'
import { toTakenText } from '../../domain/runTexts/payments.ts'
import type { Job } from '../../ports.ts'
import type { Deps } from '../operation.ts'
import { followPaidCall } from '../paidCalls/paidCallRecord.ts'
import { paymentsOf } from '../runs/readPayments.ts'

/** Describes how a job ended and where its money is. The deliverable is quoted as the agent's text. */
export const describeEnd = async (deps: Pick<Deps, 'store' | 'chains'>, job: Job): Promise<string> => {
  const taken = isPaidCall(job) && job.state !== 'settled' ? await takenText(deps, job) : undefined
  if (taken) return `${job.reason} ${taken}`.trim()
  const payments = job.state === 'settled' ? await paymentsOf(deps, job.runId) : []
  return toEndText(
    job,
    payments.find(it => it.type === 'payout' || it.type === 'payment'),
  )
}

/** Says that somebody else sent the payment of a failed paid call; undefined when it is unused. */
const takenText = async (deps: Pick<Deps, 'store' | 'chains'>, { id }: Job): Promise<string | undefined> => {
  const call = await deps.store.paidCallOfJob(id)
  const followed = call && (await followPaidCall(deps, call.id))
  return followed?.isTaken ? toTakenText(followed.record) : undefined
}
