import { toEndText } from '../../domain/runTexts/ends.ts'
import type { Job } from '../../ports.ts'
import type { Deps } from '../operation.ts'
import { paymentsOf } from '../runs/readPayments.ts'

/** Describes how a job ended and where its money is. The deliverable is quoted as the agent's text. */
export const describeEnd = async (deps: Pick<Deps, 'store' | 'chains'>, job: Job): Promise<string> => {
  const payments = job.state === 'settled' ? await paymentsOf(deps, job.runId) : []
  return toEndText(
    job,
    payments.find(it => it.type === 'payout' || it.type === 'payment'),
  )
}
