import { formatUsdc } from '../../domain/money/money.ts'
import { toEndText } from '../../domain/runTexts/ends.ts'
import { toTakenText } from '../../domain/runTexts/payments.ts'
import type { Job } from '../../ports.ts'
import { transferByOthers } from '../ledger/transferByOthers.ts'
import { chainOf, type Deps } from '../operation.ts'
import { paymentsOf } from '../runs/readPayments.ts'

type Reach = Pick<Deps, 'store' | 'chains'>

/** Describes how a job ended and where its money is. The deliverable is quoted as the agent's text. */
export const describeEnd = async (deps: Reach, job: Job): Promise<string> => {
  const taken = job.kind === 'paid-call' && job.state !== 'settled' ? await takenText(deps, job) : undefined
  if (taken) return `${job.reason} ${taken}`.trim()
  const payments = job.state === 'settled' ? await paymentsOf(deps, job.runId) : []
  return toEndText(
    job,
    payments.find(it => it.type === 'payout' || it.type === 'payment'),
  )
}

/** Says that somebody else used the payment of a failed paid call; undefined when it is unused. */
const takenText = async (deps: Reach, { id }: Job): Promise<string | undefined> => {
  const call = await deps.store.paidCallOfJob(id)
  const taken = call && (await transferByOthers(deps, call))
  if (!taken) return undefined
  const amount = formatUsdc(call.amount, chainOf(deps, call.chainId).usdcDecimals)
  return toTakenText({ amount, payee: call.payTo, ...taken })
}
