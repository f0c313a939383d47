import { parseAgentId } from '../../domain/agentId.ts'
import { toCaip2 } from '../../domain/chains.ts'
import type { Chain, Job, LedgerRow } from '../../ports.ts'
import { standing } from '../ledger/bookings.ts'

/** 0–100, as the registry's average is read. */
export const ratingOf = ({ outcome, dispute }: Pick<Job, 'outcome' | 'dispute'>): number =>
  outcome === 'accepted' && dispute === '' ? 100 : 0

export const tagsOf = ({ outcome }: Pick<Job, 'outcome'>): [string, string] => ['hire', outcome ?? '']

/**
 * The file behind a feedback (ERC-8004, off-chain feedback file), byte for byte: its hash is in the registry. Proof is the
 * payout, or what was put into escrow for work that never came. Nothing of the task or the deliverable is in it.
 */
export const toFeedbackFile = (job: Job, rows: LedgerRow[], chain: Chain): string => {
  const network = toCaip2(job.chainId)
  const id = parseAgentId(job.agentId)
  return JSON.stringify({
    agentRegistry: `${network}:${chain.addresses.registry}`,
    agentId: Number(id?.number ?? 0n),
    clientAddress: `${network}:${job.userWallet}`,
    createdAt: new Date(job.updatedAt).toISOString(),
    value: ratingOf(job),
    valueDecimals: 0,
    tag1: tagsOf(job)[0],
    tag2: tagsOf(job)[1],
    proofOfPayment: proofOf(job, standing(rows), chain),
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
