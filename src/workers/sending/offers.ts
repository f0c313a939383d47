import { type BroadcastRefusal, BroadcastRefused } from '../../domain/chains/broadcast.ts'
import type { Hex } from '../../domain/hex.ts'
import type { Chain, SignedTransaction } from '../../ports.ts'

/** Reactions to a refused broadcast. */
type Action =
  /** Look up the transaction by hash and by nonce. */
  | 'look-up'
  /** Wait: a transaction of ours is pending with this nonce. */
  | 'wait'
  /** Send no further transaction of this wallet until it has coin. */
  | 'pause'
  /** Fill the missing nonce. */
  | 'fill'
  /** Replace the transaction with the same nonce and a higher fee. */
  | 'bump'
  /** Report to the operator: there is no known remedy. */
  | 'stop'

/** Reaction to each refusal. None assigns a new nonce to a transaction that may still be mined. */
export const actions = {
  'nonce-too-low': 'look-up',
  'replacement-underpriced': 'wait',
  unfunded: 'pause',
  'nonce-too-high': 'fill',
  'fee-too-low': 'bump',
  other: 'stop',
} as const satisfies Record<BroadcastRefusal, Action>

export type Offers = {
  /**
   * Broadcasts a transaction. Returns the reaction when the node refuses it.
   * @throws BroadcastRefused without a known remedy
   * @throws Problem chain-unavailable when the node does not answer
   */
  make(signed: SignedTransaction): Promise<Exclude<Action, 'stop'> | undefined>
  /** Whether a transaction sent `waitedMs` ago is to be broadcast again. Due at once when this process never sent it. */
  isDue(hash: Hex, waitedMs: number): boolean
  forget(hash: Hex): void
}

/** Broadcasts of one process to one chain. */
export const createOffers = (chain: Pick<Chain, 'broadcast' | 'resendAfterMs'>): Offers => {
  const { resendAfterMs = 0 } = chain
  const times = new Map<Hex, number>()
  return {
    async make({ hash, raw }) {
      try {
        await chain.broadcast(raw)
        times.set(hash, (times.get(hash) ?? 0) + 1)
        return undefined
      } catch (error) {
        const action = error instanceof BroadcastRefused ? actions[error.refusal] : 'stop'
        if (action === 'stop') throw error
        return action
      }
    },
    // A negative time means that the transaction was signed before the clock was set back.
    isDue: (hash, waitedMs) => waitedMs < 0 || waitedMs >= (times.get(hash) ?? 0) * resendAfterMs,
    forget: hash => void times.delete(hash),
  }
}
