/** What a node may say to bytes that it does not take. */
export type BroadcastRefusal =
  /** The sender has used this nonce, and not with these bytes. */
  | 'nonce-too-low'
  /** Another transaction with this nonce waits already, for nearly the same fee. */
  | 'replacement-underpriced'
  /** The wallet cannot pay for it. */
  | 'unfunded'
  /** A nonce below it is missing, and the node keeps nothing for later. */
  | 'nonce-too-high'
  /** No block or pool takes it for this fee now. */
  | 'fee-too-low'
  | 'other'

/** Bytes that a node did not take. They may still reach a block by another way: nobody may think them unsent. */
export class BroadcastRefused extends Error {
  readonly refusal: BroadcastRefusal

  constructor(refusal: BroadcastRefusal, reason: string) {
    super(`The node refuses the transaction: ${reason}`)
    this.name = 'BroadcastRefused'
    this.refusal = refusal
  }
}
