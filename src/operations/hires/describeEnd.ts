import { isPaidCall } from '../../domain/job.ts'
import { toLabelled } from '../../domain/labelled.ts'
import type { Job } from '../../ports.ts'
import type { Deps } from '../operation.ts'
import { paymentsOf } from '../runs/readPayments.ts'

/** Describes how a job ended and where its money is. The deliverable is quoted as the agent's text. */
export const describeEnd = async (deps: Pick<Deps, 'store' | 'chains'>, job: Job): Promise<string> => {
  const { agentHandle, total } = job.terms
  if (job.state === 'settled') {
    const payout = (await paymentsOf(deps, job.runId)).find(it => it.type === 'payout' || it.type === 'payment')
    const paid = payout
      ? `${payout.amount} USDC are in the agent wallet ${payout.payee} (transaction ${payout.transaction}).`
      : 'It cost nothing.'
    return `${agentHandle} delivered:\n${toLabelled(job.deliverable ?? '')}\nIt passed its checks. ${paid}`
  }
  if (isPaidCall(job)) return `${job.reason} Nothing was charged.`.trim()
  const reason = job.reason || 'The escrow returned the money after its expiry.'
  if (job.state === 'cancelled') return `${job.reason} Nothing was paid.`
  return job.budget === 0n ? `${reason} It cost nothing.` : `${reason} The ${total} USDC are back in your wallet.`
}
