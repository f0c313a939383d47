import { z } from 'zod'
import { parseAgentId } from '../../domain/agents/agentId.ts'
import { toCaip2 } from '../../domain/chains/chains.ts'
import { toIso } from '../../domain/durations.ts'
import { jsonObject } from '../../domain/json.ts'
import { Problem } from '../../domain/problem.ts'
import type { Chain, Job, LedgerRow } from '../../ports.ts'
import { feedbackRecord } from '../../records/market/feedback.ts'
import { resolveAgent } from '../agents/resolveAgent.ts'
import { withoutReversed } from '../ledger/bookings.ts'
import { operation } from '../operation.ts'

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

/** A file as `toFeedbackFile` writes it. */
const feedbackFile = z.object({
  createdAt: z.string(),
  value: z.number(),
  tag2: z.string(),
  proofOfPayment: z.object({ txHash: z.string() }),
})

/** An unknown agent has none, as with its payments. */
export const listFeedback = operation({
  name: 'listFeedback',
  summary: 'What came of the newest hires of an agent, each with its proof of payment. Hires by its own owner are left out.',
  caller: 'anyone',
  input: z.object({ agent: z.string().max(200), limit: z.coerce.number().int().min(1).max(100).default(10) }),
  output: feedbackRecord,

  async run({ agent, limit }, deps) {
    const found = await resolveAgent(deps, agent)
    const files = found?.id ? await deps.store.feedbackOf(found.id, limit) : []
    return {
      feedback: files.map(({ jobId, file }) => {
        const { createdAt, value, tag2, proofOfPayment } = feedbackFile.parse(JSON.parse(file))
        return {
          job_id: jobId,
          outcome: tag2,
          value,
          at: createdAt,
          tx_hash: proofOfPayment.txHash,
          file: `/jobs/${jobId}/feedback.json`,
        }
      }),
    }
  },
})

/** Public, because the registry names this URL. The file contains no more than the chain. */
export const readFeedback = operation({
  name: 'readFeedback',
  summary: 'The feedback file of an entry in the ERC-8004 reputation registry, with its proof of payment.',
  caller: 'anyone',
  input: z.object({ job_id: z.string().max(100) }),
  output: jsonObject,

  async run({ job_id }, { store }) {
    const file = await store.feedback(job_id)
    if (!file) throw new Problem('job-not-found')
    return jsonObject.parse(JSON.parse(file))
  },
})
