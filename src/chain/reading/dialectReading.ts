import { type Log, parseEventLogs, zeroAddress } from 'viem'
import type { Address, Hex } from '../../domain/hex.ts'
import type { Atomic } from '../../domain/money/money.ts'
import type { ChainEvent, ChainJob } from '../../ports.ts'
import { lower } from '../rpc/checksum.ts'
import { answered, type Node } from '../rpc/node.ts'
import { type DialectName, dialects, jobLayouts } from './dialects.ts'

export type MinedLog = Log<bigint, number, false>

/** Events of an escrow: those of the port, and BudgetSet, which our own hires emit in the transaction that funds them. */
export type EscrowEvent =
  | ChainEvent
  | { txHash: Hex; blockNumber: bigint; blockHash: Hex; logIndex: number; name: 'BudgetSet'; chainJobId: bigint; amount: Atomic }

/**
 * Decodes the logs of an escrow, in chain order. Unknown events are dropped. The job key is the description where the contract
 * emits it (our own does), otherwise it is empty.
 */
export const decodeEvents = (dialect: DialectName, logs: MinedLog[]): EscrowEvent[] => {
  const parsed = parseEventLogs({ abi: dialects[dialect].events, logs })
  const descriptions = new Map(
    parsed.flatMap(it => (it.eventName === 'JobDescribed' ? [[it.args.jobId, it.args.description]] : [])),
  )

  return parsed.flatMap((log): EscrowEvent[] => {
    const { transactionHash: txHash, blockNumber, blockHash, logIndex } = log
    const at = { txHash, blockNumber, blockHash, logIndex, chainJobId: log.args.jobId }
    switch (log.eventName) {
      case 'JobCreated': {
        const { jobId, client, provider } = log.args
        return [
          { ...at, name: log.eventName, client: lower(client), provider: lower(provider), jobKey: descriptions.get(jobId) ?? '' },
        ]
      }
      case 'BudgetSet':
        return [{ ...at, name: log.eventName, amount: log.args.amount }]
      case 'JobFunded':
      case 'Refunded':
      case 'UnusedReturned':
        return [{ ...at, name: log.eventName, client: lower(log.args.client), amount: log.args.amount }]
      case 'JobSubmitted':
        return [{ ...at, name: log.eventName, deliverable: log.args.deliverable }]
      case 'PaymentReleased':
        return [{ ...at, name: log.eventName, provider: lower(log.args.provider), amount: log.args.amount }]
      default:
        return []
    }
  })
}

/** Names of the status enum in its order, which all dialects share (ERC-8183). */
const statuses = ['open', 'funded', 'submitted', 'completed', 'rejected', 'expired'] as const satisfies ChainJob['status'][]

/**
 * Reads a job from its escrow.
 * @throws Error when there is no such job
 * @throws Problem chain-unavailable when the node does not answer
 */
export const readJob = async (
  dialect: DialectName,
  { node, escrow, chainJobId }: { node: Node; escrow: Address; chainJobId: bigint },
): Promise<ChainJob> => {
  const question = { address: escrow, functionName: 'getJob', args: [chainJobId] } as const
  const job =
    dialects[dialect].layout === 'packed'
      ? await answered(node.readContract({ ...question, abi: jobLayouts.packed }))
      : await answered(node.readContract({ ...question, abi: jobLayouts.flat }))
  const status = statuses[job.status]
  if (job.client === zeroAddress) throw new Error(`there is no job ${chainJobId}`)
  if (status === undefined) throw new Error(`job ${chainJobId} has the unknown status ${job.status}`)
  return {
    client: lower(job.client),
    provider: lower(job.provider),
    evaluator: lower(job.evaluator),
    budget: job.budget,
    expiresAt: Number(job.expiredAt) * 1_000,
    status,
  }
}
