import { z } from 'zod'
import { address, hex } from '../../domain/hex.ts'
import { jsonObject } from '../../domain/json.ts'
import { bodyEnds } from '../../domain/x402/paidAnswer.ts'
import { amount, flag, jsonText, maybe, type RowOf } from './columns.ts'

/**
 * An x402 resource that a user buys from the custodial wallet, as it is proposed. Its id is also that of its run. The run starts
 * with the yes, unless the butler proposed the purchase.
 */
export const newPurchaseRow = {
  id: z.string(),
  user: address,
  /** The custodial wallet that pays. */
  wallet: address,
  chainId: z.number(),
  method: z.enum(['GET', 'POST']),
  url: z.string(),
  body: maybe(z.string()),
  asset: address,
  payTo: address,
  /** The price; in the scheme `upto` the most that the seller may take. */
  amount,
  timeoutS: z.number(),
  /** The x402 version, and the seller's requirement and resource as they are sent back to the seller. */
  version: z.union([z.literal(1), z.literal(2)]),
  requirement: jsonText(jsonObject),
  resource: maybe(jsonText(jsonObject)),
  /** The seller's extensions, which are sent back with the payment. */
  extensions: maybe(jsonText(jsonObject)),
  description: z.string(),
  /** What the user was told of a resource that a catalogue lists; empty for another one. */
  outside: z.string(),
  digest: z.string(),
  /** The butler proposed it in a conversation, so its run is that of the user's message. */
  isByButler: flag,
}
export type NewPurchase = RowOf<typeof newPurchaseRow>

/**
 * A purchase with what became of it. `paying`: the user consented, and an authorization may be used. `paid`: the token has moved
 * the money. `unpaid`: the authorization expired unused, so nothing was charged.
 */
export const purchaseRow = {
  ...newPurchaseRow,
  state: z.enum(['proposed', 'declined', 'paying', 'paid', 'unpaid']),
  /** In the scheme `upto` what the seller took, as the chain shows it; undefined until then. */
  taken: maybe(amount),
  mandateId: maybe(z.string()),
  /** Nonce and expiry (epoch s) of its only authorization. Both are stored before it is signed. */
  nonce: maybe(hex),
  validBefore: maybe(z.number()),
  /** The seller's answer to the paid request; undefined until an answer is final. */
  status: maybe(z.number()),
  contentType: maybe(z.string()),
  content: maybe(z.string()),
  /** Bytes of the answer that arrived, how it ended, and its stored parts (0 if `content` is all of it, or after their time). */
  answerBytes: maybe(z.number()),
  answerEnding: maybe(z.enum(bodyEnds)),
  answerParts: z.number(),
  /** Status of an answer that ended early. It counts when no other answer follows. */
  partialStatus: maybe(z.number()),
  hash: maybe(hex),
  reason: z.string(),
  /** The number of checks since the last change, and the time of the next one (epoch ms). */
  tries: z.number(),
  dueAt: maybe(z.number()),
  createdAt: z.number(),
  agreedAt: maybe(z.number()),
}
export type Purchase = RowOf<typeof purchaseRow>
