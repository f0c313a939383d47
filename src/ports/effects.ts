import type { Address, Hex } from '../domain/hex.ts'
import type { Atomic } from '../domain/money.ts'
import type { PlacedEvent } from './chain.ts'
import type { Flight, Intent, Mined, NewIntent, NewSignature, SignatureRow, SignedTransaction } from './rows.ts'

/** What was decided to be done on chains, signed for it, sent and mined. */
export type SendingTables = {
  /** Inserts intents whose key is new; those that exist stay as they are. */
  addIntents(intents: NewIntent[]): Promise<void>
  intent(key: string): Promise<Intent | undefined>
  intentByHash(chainId: number, hash: Hex): Promise<Intent | undefined>
  /** Senders with something to send or to look up. */
  activeSenders(chainId: number): Promise<Address[]>
  /** Of one sender: waiting intents that may go (their `after` is confirmed), oldest first. */
  sendable(chainId: number, sender: Address, limit: number): Promise<Intent[]>
  /** Intents that were sent and not yet seen mined, oldest nonce first, with every hash sent for them. */
  inFlight(chainId: number, sender: Address): Promise<Flight[]>
  /** The next free nonce of a sender; undefined before the first. */
  nextNonce(chainId: number, sender: Address): Promise<number | undefined>
  /** Stores the signed bytes and takes the nonce, in one write; false when the nonce was taken or the intent is not waiting. */
  recordSigned(seq: number, signed: SignedTransaction): Promise<boolean>
  recordMined(of: { seq: number; hash: Hex; mined: Mined; success: boolean }): Promise<boolean>
  /**
   * Takes a sender for this process, or holds it on; undefined when another process has it. `note` says why the wallet is paused.
   * Whoever lost a sender can store no signed bytes for it any more.
   */
  holdSender(chainId: number, sender: Address, leaseMs: number): Promise<{ note: string } | undefined>
  /** Says why a wallet is paused; an empty note says that it is not. */
  noteSender(chainId: number, sender: Address, note: string): Promise<void>
  /** Wallets that are paused, and why. */
  senderNotes(chainId: number): Promise<{ sender: Address; note: string }[]>
  /** Stores another transaction under the nonce of an intent that was sent; false when it is no longer in flight. */
  recordReplacement(seq: number, signed: SignedTransaction): Promise<boolean>
  /** As recordSigned, with a nonce below the next one that none of our transactions has. */
  recordFilling(seq: number, signed: SignedTransaction): Promise<boolean>
  /** The newest signed transaction of a sender under a nonce, also of an intent that is done, and whether it may be sent now; undefined when there is none. */
  transactionAt(chainId: number, sender: Address, nonce: number): Promise<(SignedTransaction & { mayGo: boolean }) | undefined>
  /** The next nonce is at least this one: the chain has used those below. */
  raiseNonce(chainId: number, sender: Address, atLeast: number): Promise<void>
  /**
   * Counts that something was seen of an intent (a call that would fail, a nonce that others used) at another head, or a good
   * while after the last time on a chain that makes no blocks. @returns how often so far
   */
  countDoubt(seq: number, doubt: { head: bigint; quietMs: number }): Promise<number>
  /** A waiting intent that will never be sent: it falls, and what waited for it. False when it is not waiting. */
  giveUp(seq: number, reason: string): Promise<boolean>
  /** An intent whose nonce others used waits for another one; its transactions are retired. False when it is not in flight. */
  reopenIntent(seq: number, nonce: number): Promise<boolean>
  /** Whether an intent of this sender that was decided before another one is not done yet. */
  hasEarlier(chainId: number, sender: Address, seq: number): Promise<boolean>
  /**
   * Writes a signature down. With a reference it counts against the sum that the wallet may spend in 24 hours, each run once;
   * false, and nothing written, when it would be more than `mostADay`.
   */
  recordSignature(signature: NewSignature, mostADay?: Atomic): Promise<boolean>
  /** Newest first. */
  signatures(filter: { wallet?: Address; limit: number }): Promise<SignatureRow[]>
  /** What a wallet authorized on a chain in the last 24 hours, each run once, one run left out. */
  spentToday(of: { wallet: Address; chainId: number; exceptRun: string }): Promise<Atomic>
  /** Digests of the terms to which the user of a run said yes. */
  consents(runId: string): Promise<string[]>
  /** Every signed transaction in the order it was mined, then the unmined ones: the journal that rebuilds an embedded chain. */
  journal(chainId: number): Promise<(SignedTransaction & { sender: Address; mined: Mined | undefined })[]>
}

/** What chains brought, and how far they were read. */
export type WatchingTables = {
  cursor(chainId: number): Promise<{ number: bigint; hash: Hex } | undefined>
  /** Moves the cursor, also back, and keeps its place among the visited blocks. */
  setCursor(chainId: number, at: { number: bigint; hash: Hex }): Promise<void>
  /** Blocks where the cursor has been, newest first: every one of the last 256, and one before them. */
  visitedBlocks(chainId: number): Promise<{ number: bigint; hash: Hex }[]>
  /** Keeps an event; undefined when its transaction brought it before. @returns its number */
  addChainEvent(chainId: number, event: PlacedEvent): Promise<number | undefined>
  /** Kept events of the blocks above one, the last that was taken first. */
  chainEvents(chainId: number, above: bigint): Promise<(PlacedEvent & { seq: number })[]>
  /** The block in which an event's transaction was mined now. */
  placeChainEvent(seq: number, at: { blockNumber: bigint; blockHash: Hex }): Promise<void>
  /** Forgets an event that the chain took back; false when it was forgotten before. */
  dropChainEvent(seq: number): Promise<boolean>
  /** Transactions of ours that were seen mined above a block. */
  minedAbove(chainId: number, block: bigint): Promise<(Mined & { hash: Hex })[]>
  /** Their intents were sent and not seen mined: the chain took the blocks back. The same bytes are sent again. */
  unmine(hashes: Hex[]): Promise<void>
  /** Where an intent of a job was mined, per step. */
  minedBlocksOf(jobId: string): Promise<bigint[]>
  /** Sends nothing for a job whose funding was taken back: its calls name a job on chain that may become another's. */
  holdIntents(jobId: string, chainJobId: bigint): Promise<void>
  /** The funding is back: calls that name this job on chain go on, others fall. */
  releaseIntents(jobId: string, chainJobId: bigint): Promise<void>
  /** What is held for a job whose funding does not come back will never be sent: its nonces are free. */
  dropHeld(jobId: string): Promise<void>
  /** Those of some intents that exist, whether their job is held or not. */
  endingIntents(keys: string[]): Promise<Intent[]>
  /** Forgets all that follows from the chain's blocks alone, for reading it again: events, blocks, postings, and what they moved. */
  forgetChain(chainId: number): Promise<void>
}
