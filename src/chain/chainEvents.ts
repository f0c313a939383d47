import { type Log, parseEventLogs } from 'viem'
import { type Address, address } from '../domain/hex.ts'
import type { ChainEvent } from '../ports.ts'
import { jobEscrowAbi } from './contracts/artifacts/JobEscrow.ts'

export type MinedLog = Log<bigint, number, false>

/**
 * The escrow's logs as events, in the order of the chain; others than those of the port are left out. The job's key is its
 * description, which the contract tells in an event of its own beside JobCreated.
 */
export const decodeEvents = (logs: MinedLog[]): ChainEvent[] => {
  const parsed = parseEventLogs({ abi: jobEscrowAbi, logs })
  const descriptions = new Map(
    parsed.flatMap(it => (it.eventName === 'JobDescribed' ? [[it.args.jobId, it.args.description]] : [])),
  )

  return parsed.flatMap((log): ChainEvent[] => {
    const at = { txHash: log.transactionHash, blockNumber: log.blockNumber, blockHash: log.blockHash, logIndex: log.logIndex }
    switch (log.eventName) {
      case 'JobCreated': {
        const { jobId, client, provider } = log.args
        const jobKey = descriptions.get(jobId) ?? ''
        return [{ ...at, name: log.eventName, chainJobId: jobId, client: lower(client), provider: lower(provider), jobKey }]
      }
      case 'JobFunded':
      case 'Refunded': {
        const { jobId, client, amount } = log.args
        return [{ ...at, name: log.eventName, chainJobId: jobId, client: lower(client), amount }]
      }
      case 'JobSubmitted':
        return [{ ...at, name: log.eventName, chainJobId: log.args.jobId, deliverable: log.args.deliverable }]
      case 'PaymentReleased': {
        const { jobId, provider, amount } = log.args
        return [{ ...at, name: log.eventName, chainJobId: jobId, provider: lower(provider), amount }]
      }
      default:
        return []
    }
  })
}

/** Addresses are lower case inside; viem gives the checksum form. */
export const lower = (checksummed: string): Address => address.parse(checksummed.toLowerCase())
