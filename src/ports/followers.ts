import type { Chain, Receipt } from './chain.ts'
import type { Intent, Job, NewIntent } from './rows.ts'
import type { Store, Tables } from './store.ts'

type OnChain = { store: Store; chain: Chain }

/** What follows from a transaction, written in the transaction that records it. */
export type Consequence = (tables: Tables) => Promise<unknown>

/** What a feature adds after the rating of a job: rows and intents, in the transaction of the rating. */
export type Rated = { write: Consequence; intents: NewIntent[] }

/** A feature's part in following the chain. The core knows neither the intents nor the payments of a feature. */
export type Follower = {
  /**
   * The consequences of an intent that was mined, or abandoned without a transaction, where `mined` is absent. Undefined for
   * intents of others.
   * @throws Problem chain-unavailable while the answers of the node contradict each other
   */
  consequenceOf?(at: OnChain, intent: Intent, mined?: Receipt): Promise<Consequence | undefined>
  /** Whether an intent that would fail must wait, because its effect may be on chain without enough confirmations. */
  isUnconfirmed?(at: OnChain, intent: Intent): Promise<boolean>
  /** Compares all its payments with the chain, after the chain was read again. */
  checkAll?(at: OnChain): Promise<void>
  /** Compares those payments with the chain that somebody may still make. It runs every minute. */
  checkOpen?(at: OnChain): Promise<void>
  /** @param of.salt unpredictable */
  afterRating?(job: Job, of: { chain: Chain; publicUrl: string; salt: string }): Rated | undefined
}
