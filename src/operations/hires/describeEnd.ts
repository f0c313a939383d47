import { toEndText } from '../../domain/runTexts/ends.ts'
import type { Job } from '../../ports.ts'
import type { Deps } from '../operation.ts'
import { paymentsOf } from '../runs/readPayments.ts'

type Reach = Pick<Deps, 'store' | 'chains' | 'selling'>

/** Describes how a job ended and where its money is. The deliverable is quoted as the agent's text. */
export const describeEnd = async (deps: Reach, job: Job): Promise<string> => {
  const taken = job.kind === 'paid-call' && job.state !== 'settled' ? await deps.selling?.describeTaken(job, deps) : undefined
  if (taken) return `${job.reason} ${taken}`.trim()
  const payments = job.state === 'settled' ? await paymentsOf(deps, job.runId) : []
  return toEndText(
    job,
    payments.find(it => it.type === 'payout' || it.type === 'payment'),
  )
}
