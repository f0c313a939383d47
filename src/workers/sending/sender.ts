import type { Address, Hex } from '../../domain/hex.ts'
import type { Chain, Follower, Log, Mined, Store } from '../../ports.ts'
import type { Offers } from './offers.ts'

export type Reach = { store: Store; chain: Chain; followers: readonly Follower[]; log?: Log }

/** Transactions that were recorded as mined and not looked up since, with their recorded blocks. */
export type Recorded = Map<Hex, Mined>

/** One wallet of one chain, leased by this process. `note`: why it pauses. */
export type Sender = Reach & { address: Address; offers: Offers; recorded: Recorded; note: string }

/** Records why a wallet is paused; an empty note means that it is not. Written only when it changes. */
export const say = async ({ store, chain, address, note }: Sender, words: string): Promise<void> => {
  if (words !== note) await store.noteSender(chain.chainId, address, words)
}

/**
 * Requests coin for a wallet that cannot pay for gas. The treasury tops up other wallets, once per transaction count, so that a
 * wallet gets more only after it used what it got. The treasury itself waits for its operator.
 */
export const askForGas = async (sender: Sender): Promise<void> => {
  const { store, chain, address } = sender
  const { chainId, treasury } = chain
  if (address === treasury)
    return say(
      sender,
      `The treasury ${address} cannot pay for its next transaction and waits: send it native coin of chain ${chainId}.`,
    )
  const key = `gas:${chainId}:${address}:${await chain.transactionCount(address)}`
  await store.addIntents([{ key, chainId, sender: treasury, call: chain.topUp(address), after: undefined }])
}
