import { usedUnitsOf } from '../../domain/jobs/usedUnits.ts'
import { chargeOf } from '../../domain/offerings/usagePrice.ts'
import type { Call, Chain, ChainJob, Intent, Job, NewIntent, Tables } from '../../ports.ts'

/**
 * Payout attempts of accepted work before its money is refunded. They are a minute apart, because a node that lags, or a token
 * that is paused, refuses calls for a while that the contract allows later.
 */
const payoutRounds = 3

/** Maximum settlement attempts per job; after that the escrow is recovered by claimRefund. */
const maxRounds = 20

/**
 * The intents of a payout: the agent's wallet submits the deliverable's hash, then the evaluator completes and the escrow pays.
 */
export const payoutIntents = (chain: Chain, job: Job): NewIntent[] => {
  const { id, chainId, chainJobId, agentWallet, deliverable } = job
  if (chainJobId === undefined) return []
  const submit = `job:${id}:submit`
  return [
    { key: submit, chainId, sender: agentWallet, call: chain.submit(chainJobId, deliverable ?? ''), after: undefined },
    { key: `job:${id}:complete`, chainId, sender: chain.evaluator, call: completion(chain, job, chainJobId), after: submit },
  ]
}

/**
 * Releases the budget, or of a usage price what was used.
 * @throws RangeError for a usage price on a chain whose escrow cannot return the rest, where none can be hired
 */
const completion = (chain: Chain, job: Job, chainJobId: bigint): Call => {
  const { usage } = job.terms
  const units = usedUnitsOf(job)?.charged
  if (!usage || units === undefined) return chain.complete(chainJobId, 'accepted')
  if (!chain.completeUsed) throw new RangeError(`job ${job.id} has a usage price, and its escrow returns no part`)
  const used = chargeOf({ perUnit: usage.perUnit, units, cap: job.budget, decimals: chain.usdcDecimals })
  return chain.completeUsed(chainJobId, used, 'accepted')
}

/** The evaluator's reject, which refunds the escrow to the user. At most one per job. */
export const refundIntent = (chain: Chain, { id, chainId, chainJobId }: Job, reason: string): NewIntent[] =>
  chainJobId === undefined
    ? []
    : [{ key: `job:${id}:refund`, chainId, sender: chain.evaluator, call: chain.reject(chainJobId, reason), after: undefined }]

/**
 * Adds the payout or refund that a job's state requires, unless one is pending. Earlier attempts may have failed while the
 * funding was reverted, or because the job got another on-chain id.
 */
export const decideEnd = async (tables: Tables, chain: Chain, { job, status }: { job: Job; status: ChainJob['status'] }) => {
  if (job.chainJobId === undefined || (status !== 'funded' && status !== 'submitted')) return
  const earlier = await tables.intentsOf(keysOf(job.id))
  if (earlier.some(isUnderWay)) return
  const round = earlier.reduce((most, it) => Math.max(most, roundOf(it)), 0) + 1
  if (round <= maxRounds) await tables.addIntents(endOf(chain, job, status).map(it => inRound(it, round)))
}

/**
 * The consequence of a failed payout. The reconciler tries it again while the contract may still pay; after the last attempt the
 * evaluator refunds the user.
 */
export const afterFailedPayout = (
  chain: Chain,
  { job, intent, reason }: { job: Job; intent: Intent; reason: string },
): NewIntent[] => (roundOf(intent) < payoutRounds ? [] : refundIntent(chain, job, reason))

const endOf = (chain: Chain, job: Job, status: ChainJob['status']): NewIntent[] => {
  if (job.state === 'expired' || job.state === 'rejected') return refundIntent(chain, job, job.reason)
  if (job.state !== 'settling') return []
  const payout = payoutIntents(chain, job)
  return status === 'funded' ? payout : payout.slice(1).map(it => ({ ...it, after: undefined }))
}

const isUnderWay = ({ state }: Intent) => state === 'waiting' || state === 'sent'

// job:<id>:<step> the first time, then job:<id>:<step>:<round>.
const toKey = (key: string, round: number) => (round === 1 ? key : `${key}:${round}`)
const roundOf = ({ key }: Intent) => Number(key.split(':')[3] ?? 1)
const inRound = (it: NewIntent, round: number): NewIntent => ({
  ...it,
  key: toKey(it.key, round),
  after: it.after && toKey(it.after, round),
})

const keysOf = (id: string): string[] =>
  ['submit', 'complete', 'refund'].flatMap(step =>
    Array.from({ length: maxRounds }, (_, at) => toKey(`job:${id}:${step}`, at + 1)),
  )
