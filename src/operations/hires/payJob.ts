import type { Chain, Job, Tables } from '../../ports.ts'
import { payoutIntents } from '../ledger/payout.ts'
import { chainOf, type Deps } from '../operation.ts'

/**
 * The chain and the on-chain job id whose escrow holds the job's money. A free job has neither, and a paid call is settled by the
 * feature that sold it.
 */
export type EscrowPosition = {
  chain: Chain | undefined
  heldUnder: bigint | undefined
  settle: ((tables: Tables, job: Job) => Promise<void>) | undefined
}

/** Settles paid calls with the chains of this process; undefined in a service that sells none. */
export const settlingOf = ({ chains, selling }: Pick<Deps, 'chains' | 'selling'>): EscrowPosition['settle'] =>
  selling && ((store, job) => selling.settle({ store, chains }, job))

/** Reads from the contract whether it holds the money of a job now. */
export const readEscrowPosition = async (
  deps: Pick<Deps, 'chains' | 'selling'>,
  { kind, chainId, chainJobId }: Job,
): Promise<EscrowPosition> => {
  const settle = settlingOf(deps)
  if (kind !== 'hire') return { chain: undefined, heldUnder: undefined, settle }
  const chain = chainOf(deps, chainId)
  const isHeld = chainJobId !== undefined && (await holdsMoney(chain, chainJobId))
  return { chain, heldUnder: isHeld ? chainJobId : undefined, settle }
}

const holdsMoney = async (chain: Chain, chainJobId: bigint): Promise<boolean> => {
  // This is also undefined after a reorganisation that was not processed yet.
  if (chain.refundableAt) return (await chain.refundableAt(chainJobId)) !== undefined
  const { status } = await chain.job(chainJobId)
  return status === 'funded' || status === 'submitted'
}

type Paying = { id: string; event: 'accept' | 'waive' | 'recall'; reason?: string; from?: Job }

/**
 * Pays a job inside a transaction: the move and the intents that release the escrow are one write. If the contract does not
 * hold the money, the payment follows once it does.
 * @returns the job, or undefined when the table of moves does not allow it
 * @throws RangeError for a paid call in a service that sells none
 */
export const payWithin = async (
  tables: Tables,
  { chain, heldUnder, settle }: EscrowPosition,
  { id, event, ...patch }: Paying,
): Promise<Job | undefined> => {
  const job = await tables.moveJob(id, event, patch)
  if (!job) return undefined
  if (job.kind === 'paid-call') {
    if (!settle) throw new RangeError(`job ${id} is a paid call, and nothing is sold here`)
    await settle(tables, job)
    return job
  }
  if (!chain) return tables.moveJob(id, 'confirm', { from: job })
  if (heldUnder !== undefined && job.chainJobId === heldUnder) await tables.addIntents(payoutIntents(chain, job))
  return job
}
