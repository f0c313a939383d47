import type { Chain, Job, Tables } from '../../ports.ts'
import { payoutIntents } from '../ledger/payout.ts'
import { addSettlement } from '../ledger/settleCall.ts'
import { chainOf, type Deps } from '../operation.ts'

/** The chain and the on-chain job id whose escrow holds the job's money. A free job has neither. */
export type EscrowPosition = { chain: Chain | undefined; heldUnder: bigint | undefined }

/** Reads from the contract whether it holds the money of a job now. */
export const readEscrowPosition = async (
  deps: Pick<Deps, 'chains'>,
  { kind, chainId, chainJobId }: Job,
): Promise<EscrowPosition> => {
  if (kind !== 'hire') return { chain: undefined, heldUnder: undefined }
  const chain = chainOf(deps, chainId)
  const isHeld = chainJobId !== undefined && (await holdsMoney(chain, chainJobId))
  return { chain, heldUnder: isHeld ? chainJobId : undefined }
}

const holdsMoney = async (chain: Chain, chainJobId: bigint): Promise<boolean> => {
  // This is also undefined after a reorganisation that was not processed yet.
  if (chain.refundableAt) return (await chain.refundableAt(chainJobId)) !== undefined
  const { status } = await chain.job(chainJobId)
  return status === 'funded' || status === 'submitted'
}

type Paying = { id: string; event: 'accept' | 'waive' | 'recall'; reason?: string }

/**
 * Pays a job inside a transaction: the move and the intents that release the escrow are one write. If the contract does not
 * hold the money, the payment follows once it does.
 * @returns the job, or undefined when the table of moves does not allow it
 */
export const payWithin = async (
  tables: Tables,
  { chain, heldUnder }: EscrowPosition,
  { id, event, reason }: Paying,
): Promise<Job | undefined> => {
  const job = await tables.moveJob(id, event, reason === undefined ? {} : { reason })
  if (!job) return undefined
  if (await addSettlement(tables, job)) return job
  if (!chain) return tables.moveJob(id, 'confirm')
  if (heldUnder !== undefined && job.chainJobId === heldUnder) await tables.addIntents(payoutIntents(chain, job))
  return job
}
