import type { Address, Hex } from '../domain/hex.ts'
import type { Atomic } from '../domain/money/money.ts'
import type { Spending } from '../domain/money/spending.ts'
import type { PlacedEvent } from './chain.ts'
import type { Active, Intent, Mined, NewIntent, NewSignature, Sendable, SignatureRow, SignedTransaction } from './rows.ts'

/** Effects on chains: decided, signed, sent and mined. */
export type SendingTables = {
  /** Inserts intents with a new key; existing ones stay unchanged. */
  addIntents(intents: NewIntent[]): Promise<void>
  intent(key: string): Promise<Intent | undefined>
  intentByHash(chainId: number, hash: Hex): Promise<Intent | undefined>
  /** Senders with intents to send or transactions to look up, each with as many as may be in flight. */
  activeSenders(chainId: number): Promise<Active[]>
  /** What a sender may send now, oldest first. */
  sendable(chainId: number, sender: Address, limit: number): Promise<Sendable>
  /** The next free nonce of a sender; undefined before the first. */
  nextNonce(chainId: number, sender: Address): Promise<number | undefined>
  /** Stores a signed transaction and takes its nonce in one write; false when the nonce is taken or the intent is not waiting. */
  recordSigned(seq: number, signed: SignedTransaction): Promise<boolean>
  /** Records where a transaction was mined; false when that is known. `key` of its intent makes a success one statement. */
  recordMined(of: { seq: number; key?: string; hash: Hex; mined: Mined; success: boolean }): Promise<boolean>
  /**
   * Takes or renews the lease of a sender for this process; undefined when another process has it. `note` is the reason for a
   * pause. `isTaken`: this process did not have it before, so what it read of the sender may be old. A process that lost the lease
   * can no longer store transactions of that sender.
   */
  leaseSender(chainId: number, sender: Address, leaseMs: number): Promise<{ note: string; isTaken?: boolean } | undefined>
  /**
   * Takes the leases that other processes have of senders of a chain. The leader of the chain calls this at its start: an earlier
   * leader can then store no transaction any more.
   */
  takeSenders(chainId: number, leaseMs: number): Promise<void>
  /** Records why a wallet is paused; an empty note means that it is not. */
  noteSender(chainId: number, sender: Address, note: string): Promise<void>
  senderNotes(chainId: number): Promise<{ sender: Address; note: string }[]>
  /** Stores another transaction with the nonce of a sent intent; false when the intent is no longer in flight. */
  recordReplacement(seq: number, signed: SignedTransaction): Promise<boolean>
  /** Like `recordSigned`, with an earlier nonce that none of our transactions uses. */
  recordFilling(seq: number, signed: SignedTransaction): Promise<boolean>
  /**
   * The newest signed transaction of a sender with a nonce, even of a completed intent; undefined when there is none. `mayGo`
   * says whether it may be sent now.
   */
  transactionAt(chainId: number, sender: Address, nonce: number): Promise<(SignedTransaction & { mayGo: boolean }) | undefined>
  /** Raises the next nonce to at least this one, because the chain has used those below. */
  raiseNonce(chainId: number, sender: Address, atLeast: number): Promise<void>
  /**
   * Counts an observation that an intent may fail: a call that would revert, or a nonce used by others. It counts at another
   * head, or after `staleHeadMs` on a chain without new blocks.
   * @returns the count so far
   */
  countFailure(seq: number, seen: { head: bigint; staleHeadMs: number }): Promise<number>
  /** Abandons a waiting intent, and those that wait for it. False when it is not waiting. */
  giveUp(seq: number, reason: string): Promise<boolean>
  /**
   * Makes an intent wait for a new nonce after others used its own, and retires its transactions. False when it is not in
   * flight.
   */
  reopenIntent(seq: number, nonce: number): Promise<boolean>
  /** Whether an earlier intent of this sender is not done yet. */
  hasEarlier(chainId: number, sender: Address, seq: number): Promise<boolean>
  /**
   * Records a signature. With a reference, its amount counts against `maxPerDay`, the limit of the wallet in 24 hours, once per
   * run. False, without a record, when it would exceed that. `seen` is a reading from before, which may be outdated.
   */
  recordSignature(signature: NewSignature, within?: { maxPerDay: Atomic; seen: Spending }): Promise<boolean>
  /** Newest first. */
  signatures(filter: { wallet?: Address; limit: number }): Promise<SignatureRow[]>
  /** What a wallet authorized on a chain in the last 24 hours, once per run. */
  spending(of: { wallet: Address; chainId: number }): Promise<Spending>
  /** Digests of the terms to which the user of a run consented. */
  consents(runId: string): Promise<string[]>
  /** Those of the run that a job belongs to. */
  consentsOfJob(jobId: string): Promise<string[]>
  /** The newest mined transactions of a wallet that were signed within `sinceMs`. */
  minedSince(of: { chainId: number; sender: Address; sinceMs: number; limit: number }): Promise<{ raw: Hex; at: number }[]>
  /** All signed transactions: the mined ones in their order, then the others. This journal rebuilds an embedded chain. */
  journal(chainId: number): Promise<(SignedTransaction & { sender: Address; mined: Mined | undefined })[]>
}

/** What is stored of an event: enough to find it on the chain again, and to undo it. */
export type StoredEvent = Pick<PlacedEvent, 'name' | 'chainJobId' | 'txHash' | 'blockNumber' | 'blockHash' | 'place'> & {
  seq: number
}

/** Events read from chains, and the position of the reader. */
export type WatchingTables = {
  cursor(chainId: number): Promise<{ number: bigint; hash: Hex } | undefined>
  /**
   * Moves the cursor, possibly backwards, and adds the block to the visited ones. With `from` it moves only from there; false when
   * another reader has moved it before.
   */
  setCursor(
    chainId: number,
    to: { number: bigint; hash: Hex },
    from?: { number: bigint; hash?: Hex | undefined },
  ): Promise<boolean>
  /** Blocks visited by the cursor, newest first: all of the last 256, and one before them. */
  visitedBlocks(chainId: number): Promise<{ number: bigint; hash: Hex }[]>
  /** Stores an event and returns its number; undefined when it was stored before. */
  addChainEvent(chainId: number, event: PlacedEvent): Promise<number | undefined>
  /** Stored events of the blocks above one, the last stored first. */
  chainEvents(chainId: number, above: bigint): Promise<StoredEvent[]>
  /** Updates the block in which an event's transaction is mined now. */
  placeChainEvent(seq: number, at: { blockNumber: bigint; blockHash: Hex }): Promise<void>
  /** Deletes an event that a reorganisation removed; false when it was deleted before. */
  dropChainEvent(seq: number): Promise<boolean>
  /** Our transactions that were mined above a block. `hasEvents`: whether events of any transaction are stored above it. */
  minedAbove(chainId: number, block: bigint): Promise<{ hasEvents: boolean; transactions: (Mined & { hash: Hex })[] }>
  /** Sets the intents of transactions that a reorganisation removed back to sent. The same bytes are broadcast again. */
  unmine(hashes: Hex[]): Promise<void>
  minedBlocksOf(jobId: string): Promise<bigint[]>
  /** Suspends the intents of a job whose funding was reverted: their calls name an on-chain job id that may get another job. */
  suspendIntents(jobId: string, chainJobId: bigint): Promise<void>
  /** Resumes the intents of a job that is funded again. Those that name another on-chain job are dropped. */
  resumeIntents(jobId: string, chainJobId: bigint): Promise<void>
  /** Drops the suspended intents of a job whose funding does not return, which frees their nonces. */
  dropSuspended(jobId: string): Promise<void>
  /** The existing intents among these keys, suspended or not. */
  intentsOf(keys: string[]): Promise<Intent[]>
  /**
   * Deletes everything derived from the chain's blocks, so that it can be read again: events, blocks, postings and job states.
   */
  forgetChain(chainId: number): Promise<void>
}
