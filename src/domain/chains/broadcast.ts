export type BroadcastRefusal =
  /** The sender has used this nonce for another transaction. */
  | 'nonce-too-low'
  /** Another transaction with this nonce is pending, with a similar fee. */
  | 'replacement-underpriced'
  /** The wallet cannot pay for it. */
  | 'unfunded'
  /** An earlier nonce is missing, and the node keeps no transactions for later. */
  | 'nonce-too-high'
  | 'fee-too-low'
  | 'other'

/** A broadcast that a node refused. The transaction may still be mined by another way, so it must not count as unsent. */
export class BroadcastRefused extends Error {
  readonly refusal: BroadcastRefusal

  constructor(refusal: BroadcastRefusal, reason: string) {
    super(`The node refuses the transaction: ${reason}`)
    this.name = 'BroadcastRefused'
    this.refusal = refusal
  }
}
