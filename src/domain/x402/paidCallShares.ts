import { limits } from '../limits.ts'

/** Paid calls in progress of one party, and when the first of them ends at the latest (epoch ms). */
export type Share = { open: number; endsBy: number | undefined }

/** Paid calls in progress: of one payer, to one agent, to all agents of its owner, and of everybody. */
export type OpenCalls = { payer: Share; agent: Share; owner: Share; all: Share }

/**
 * The part of the free places that a party may hold, so that each newcomer finds a place however many parties fill theirs.
 * Source: Choudhury and Hahne, Dynamic Queue Length Thresholds for Shared-Memory Packet Switches, 1998.
 */
const parts = { agent: 1 / 8, owner: 1 / 4, payer: 1 / 4 } as const
const parties = ['agent', 'owner', 'payer'] as const

/** The party that may start no more calls now, and when a place is free at the latest; undefined when one more may start. */
export const fullShare = (calls: OpenCalls): { of: keyof OpenCalls; endsBy: number | undefined } | undefined => {
  const free = limits.paidCalls - calls.all.open
  const of = parties.find(it => calls[it].open >= free * parts[it])
  if (free <= 0) return { of: 'all', endsBy: calls.all.endsBy }
  if (of) return { of, endsBy: calls[of].endsBy }
  return calls.payer.open >= limits.paidCallsOfPayer ? { of: 'payer', endsBy: calls.payer.endsBy } : undefined
}
