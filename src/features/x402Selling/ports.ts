import { z } from 'zod'
import { type Address, address, hex } from '../../domain/hex.ts'
import { type JsonObject, jsonObject } from '../../domain/json.ts'
import type { Atomic } from '../../domain/money/money.ts'
import type { OpenCalls, Share } from '../../domain/x402/paidCallShares.ts'
import { amount, jsonText, maybe, type RowOf } from '../../ports/rows/columns.ts'
import { call, intentState } from '../../ports/rows/effects.ts'
import type { PaidNonce, Tables } from '../../ports.ts'

/**
 * A call paid by x402. Its work is a job without an escrow, and the state of the job is the state of the payment. The
 * authorization is settled by the intent `x402:<id>`.
 */
export const paidCallRow = {
  id: z.string(),
  chainId: z.number(),
  payer: address,
  asset: address,
  /** Nonce of the authorization. Together with chain, token and payer it is unique. */
  nonce: hex,
  /** The price; in the scheme `upto` the most that is taken. */
  amount,
  /** In the scheme `upto` what is taken, once the work was accepted. */
  taken: maybe(amount),
  payTo: address,
  /** SHA-256 of method, path, body and payment. */
  requestHash: z.string(),
  jobId: z.string(),
  runId: z.string(),
  /** When the authorization expires, in epoch ms. */
  validUntil: z.number(),
  /** The wallet that sends the settlement, and its call. */
  sender: address,
  settlement: jsonText(call),
  createdAt: z.number(),
}
export type PaidCall = RowOf<typeof paidCallRow>

/**
 * A paid call with the state of its settlement, undefined until that is requested, and the transaction that made its transfer
 * by the ledger, undefined until it is settled. Somebody else may have sent that transaction.
 */
export const followedRow = { ...paidCallRow, settling: maybe(intentState), hash: maybe(hex) }
export type FollowedPaidCall = RowOf<typeof followedRow>

/** A call whose settlement was left to a facilitator, with what that is asked for. */
export const deferredRow = { ...followedRow, facilitation: jsonText(jsonObject) }
export type DeferredCall = RowOf<typeof deferredRow>

/** What a call costs: in the scheme `upto` what is taken, once that is known. */
export const costOf = ({ taken, amount }: Pick<PaidCall, 'taken' | 'amount'>): Atomic => taken ?? amount

/** A page of paid calls in the order of `seq`. */
export type ReadCallPage = (
  chainId: number,
  page: { afterSeq: number; limit: number },
) => Promise<(FollowedPaidCall & { seq: number })[]>

export type PaidCallTables = {
  /**
   * Claims the nonce of an authorization. Undefined when it was claimed before.
   * @param call.facilitation what a facilitator is asked for, where one settles the payments of the chain
   */
  addPaidCall(
    call: Omit<PaidCall, 'createdAt' | 'taken'> & { facilitation?: JsonObject | undefined },
  ): Promise<PaidCall | undefined>
  /** Leaves the settlement of a call to a facilitator. False where none was chosen for it, or after `resumeSettlement`. */
  deferSettlement(id: string): Promise<boolean>
  /** The oldest settlements that were left to a facilitator. */
  deferredSettlements(chainId: number, limit: number): Promise<DeferredCall[]>
  /** Takes a settlement back from the facilitator. False when another write did so first. */
  resumeSettlement(id: string): Promise<boolean>
  /** Stores what is taken of a payment in the scheme `upto`. */
  takePaidCall(id: string, taken: Atomic): Promise<void>
  paidCall(id: string): Promise<FollowedPaidCall | undefined>
  /** Stores the signed receipt for a transaction, unless there is one, and returns the one that stands. */
  keepReceipt(id: string, of: { receipt: string; transaction: string }): Promise<string>
  paidCallOfJob(jobId: string): Promise<FollowedPaidCall | undefined>
  paidCallOfNonce(of: PaidNonce): Promise<FollowedPaidCall | undefined>
  /** Calls with accepted work that are settled, or failed because their payment did. */
  decidedCalls: ReadCallPage
  /** The failed ones of the last day whose authorization somebody may still use, or could until ten minutes ago. */
  unpaidCalls: ReadCallPage
  /**
   * Counts the calls in progress, and the total amount of the payer's. `unpaid` are the payer's calls of 24 hours whose work was
   * accepted and whose payment failed, with the end of the 24 hours of the oldest. It takes a lock of the payer until the
   * transaction ends.
   */
  lockPaidCalls(of: {
    payer: Address
    chainId: number
    agentId: string
    owner: Address
  }): Promise<OpenCalls & { amount: Atomic; unpaid: Share }>
}

export const paidCallsOf = (tables: Tables): PaidCallTables => tables as Tables & PaidCallTables
