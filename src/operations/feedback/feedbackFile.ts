import { parseAgentId } from '../../domain/agents/agentId.ts'
import { toCaip2 } from '../../domain/chains/chains.ts'
import { toIso } from '../../domain/durations.ts'
import type { Chain, Job, LedgerRow } from '../../ports.ts'
import { withoutReversed } from '../ledger/bookings.ts'

/** Rating of a job from 0 to 100, the scale of the registry's average. */
export const ratingOf = ({ outcome, dispute }: Pick<Job, 'outcome' | 'dispute'>): number =>
  outcome === 'accepted' && dispute === '' ? 100 : 0

export const tagsOf = ({ outcome }: Pick<Job, 'outcome'>): [string, string] => ['hire', outcome ?? '']

/**
 * The off-chain feedback file of ERC-8004. It must never change, because the registry has its hash. Its proof is the payout, or
 * the escrow payment of undelivered work. It contains nothing of the task or the deliverable.
 */
export const toFeedbackFile = (job: Job, rows: LedgerRow[], chain: Chain): string => {
  const network = toCaip2(job.chainId)
  const id = parseAgentId(job.agentId)
  return JSON.stringify({
    agentRegistry: `${network}:${chain.addresses.registry}`,
    agentId: Number(id?.number ?? 0n),
    clientAddress: `${network}:${job.userWallet}`,
    createdAt: toIso(job.updatedAt),
    value: ratingOf(job),
    valueDecimals: 0,
    tag1: tagsOf(job)[0],
    tag2: tagsOf(job)[1],
    proofOfPayment: proofOf(job, withoutReversed(rows), chain),
  })
}

const proofOf = (job: Job, rows: LedgerRow[], { addresses: { escrow } }: Chain) => {
  const paid = rows.find(it => it.account === `wallet:${job.agentWallet}` && it.amount > 0n)
  const escrowed = rows.find(it => it.account === `escrow:${job.id}` && it.amount > 0n)
  return {
    fromAddress: job.userWallet,
    toAddress: paid ? job.agentWallet : escrow,
    chainId: String(job.chainId),
    txHash: (paid ?? escrowed)?.txHash ?? '',
  }
}
