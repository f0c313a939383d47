import { type BroadcastRefusal, BroadcastRefused } from '../../domain/broadcast.ts'
import type { Hex } from '../../domain/hex.ts'
import type { Chain, SignedTransaction } from '../../ports.ts'

/** What is done about bytes that a node does not take. */
type Action =
  /** Ask the chain by hash and by nonce. */
  | 'look-up'
  /** One of ours waits under this nonce already. */
  | 'wait'
  /** No further transaction of this wallet until it has coin. */
  | 'pause'
  /** Fill the nonce that is missing. */
  | 'fill'
  /** The same nonce for a higher fee. */
  | 'bump'
  /** Nobody knows what to do: tell the operator. */
  | 'stop'

/** The table of refusals: none of them ever leads to a new nonce for bytes that may still be mined. */
export const actions = {
  'nonce-too-low': 'look-up',
  'replacement-underpriced': 'wait',
  unfunded: 'pause',
  'nonce-too-high': 'fill',
  'fee-too-low': 'bump',
  other: 'stop',
} as const satisfies Record<BroadcastRefusal, Action>

export type Offers = {
  /** Sends bytes; what has to be done when the node does not take them. Throws when nobody knows, or when it does not answer. */
  make(signed: SignedTransaction): Promise<Exclude<Action, 'stop'> | undefined>
  /** Whether bytes that were sent so long ago are to be sent again; at once when this process never sent them. */
  isDue(hash: Hex, waitedMs: number): boolean
  forget(hash: Hex): void
}

/** Offers of one process to one chain. */
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
    // Bytes that seem to come from the future were signed before the clock was set back.
    isDue: (hash, waitedMs) => waitedMs < 0 || waitedMs >= (times.get(hash) ?? 0) * resendAfterMs,
    forget: hash => void times.delete(hash),
  }
}
