import { z } from 'zod'
import { type Address, address, type Hex, hex } from '../../domain/hex.ts'
import { json } from '../../domain/json.ts'
import type { Atomic } from '../../domain/money/money.ts'
import type { WalletRole } from './agent.ts'
import { amount, jsonText, maybe, type RowOf } from './columns.ts'

/** A contract call or a plain transfer, without a nonce. */
export const call = z.object({ to: maybe(address), data: hex, value: amount, gas: amount })
export type Call = z.infer<typeof call>

export const intentState = z.enum(['waiting', 'sent', 'confirmed', 'reverted'])
export type IntentState = z.infer<typeof intentState>
/** The effect is still to come, or its transaction is not mined yet. */
export const unminedStates = ['waiting', 'sent'] as const satisfies IntentState[]

/** A decided effect on a chain. Its key is unique: `job:<id>:hire`. The store packs its call. */
export const intentRow = {
  seq: z.number(),
  key: z.string(),
  chainId: z.number(),
  sender: address,
  /** Key of the intent that must be confirmed first. */
  after: maybe(z.string()),
  state: intentState,
  /** Hash of the mined transaction, or of the last one sent. */
  hash: maybe(hex),
  nonce: maybe(z.number()),
  /** Why it was abandoned; otherwise empty. */
  reason: z.string(),
}
export type Intent = RowOf<typeof intentRow> & { call: Call }
export type NewIntent = Pick<Intent, 'key' | 'chainId' | 'sender' | 'call' | 'after'>

/** A signed transaction, stored before it is broadcast. */
export type SignedTransaction = { hash: Hex; raw: Hex; nonce: number }

/** Waiting intents whose predecessor (`after`) is confirmed, and the next nonce; undefined before the first one. */
export type Sendable = { waiting: Intent[]; next: number | undefined }

/** A sent intent, all transactions with its nonce, oldest first, and the age of the last one in ms. */
export type Flight = { intent: Intent; transactions: SignedTransaction[]; waitedMs: number }
/**
 * A wallet with transactions under way: those sent and not mined, lowest nonce first, and those that may be sent. `hasNext`:
 * other intents wait until one of these is mined.
 */
export type Active = Sendable & { sender: Address; flights: Flight[]; hasNext: boolean }
/** The block of a mined transaction, and its index in it. `blockTime` in epoch ms. */
export type Mined = { blockNumber: bigint; blockTime: number; index: number }

/** One leg of a double entry. The amounts of a posting sum to zero. */
export const ledgerRow = {
  account: z.string(),
  amount,
  /** Unique: a posting with the same key is stored once. */
  key: z.string(),
  chainId: z.number(),
  jobId: maybe(z.string()),
  runId: maybe(z.string()),
  txHash: maybe(hex),
  at: z.number(),
}
export type LedgerRow = RowOf<typeof ledgerRow>
export type LedgerEntry = Pick<LedgerRow, 'account' | 'amount'>
export type Posting = Omit<LedgerRow, keyof LedgerEntry | 'at'> & { entries: LedgerEntry[] }

/**
 * Why a client's wallet signs: the run with the user's consent, the digest of the terms, and the amount that leaves the wallet.
 */
export type SigningReference = { runId: string; digest: string; amount: Atomic }

/** The record of a signature, written before it is made. It contains neither the key nor the signature. */
export type NewSignature = {
  wallet: Address
  role: WalletRole
  chainId: number
  kind: 'transaction' | 'typed-data' | 'text'
  /** The called contract, or the one that verifies the typed data; undefined for texts and deployments. */
  contract: Address | undefined
  /** Function selector, or the primary type of typed data. */
  selector: string
  /** Native coin of a transaction in wei, or the authorized amount in atomic USDC. */
  amount: Atomic
  reference: SigningReference | undefined
  /** Hash of the signed bytes. */
  digest: Hex
}
export type SignatureRow = NewSignature & { seq: number; at: number }

export const outboxRow = { key: z.string(), topic: z.string(), payload: jsonText(json), attempts: z.number() }
export type OutboxRow = RowOf<typeof outboxRow>
