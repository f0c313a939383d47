import type { Address, Hex } from '../../../domain/hex.ts'
import type { Mined, SignedTransaction } from '../../../ports.ts'
import type { Ask } from './ask.ts'
import { type MinedBlock, mineBlock, readHead } from './mining.ts'

/** Every signed transaction of the chain, and the block that mined it where known. `isForeign`: another program sent it. */
export type Journal = (SignedTransaction & { sender: Address; mined: Mined | undefined; isForeign?: boolean })[]

type Replayable = { hash: Hex; raw: Hex; mined: Mined; isForeign: boolean }

/** Concurrent requests while the senders' nonces are read. */
const atOnce = 64

/**
 * Replays the journal: it sends mined transactions that the chain lacks in their old order, and mines blocks with their old
 * number and time. Pending transactions are left to their senders. Throws when the chain does not accept a block's transactions
 * in their order.
 */
export const replay = async (ask: Ask, journal: Journal): Promise<MinedBlock[]> => {
  const replayed: MinedBlock[] = []
  const blocks = toBlocks(await missing(ask, withEarlierNonces(journal)))
  // A node that loaded a state starts its clock at the current time and refuses earlier blocks, such as those of the journal.
  if (blocks.length > 0) await ask('evm_setTime', (await readHead(ask)).timestamp)
  for (const block of blocks) replayed.push(await replayBlock(ask, block))
  return replayed
}

/**
 * Receipts are read one by one, so a killed service may know where a transaction was mined, and not where the one before it of
 * the same wallet was. It was mined no later, so it gets the same block.
 */
const withEarlierNonces = (journal: Journal): Journal => {
  const next = new Map<Address, Journal[number]>()
  const known = new Set(journal.filter(it => it.mined).map(keyOf))
  const placed = journal
    .toSorted((a, b) => b.nonce - a.nonce)
    .map(it => {
      const later = next.get(it.sender)
      const mined = it.mined ?? (later && !known.has(keyOf(it)) ? later.mined : undefined)
      if (!mined) return it
      known.add(keyOf(it))
      const found = { ...it, mined }
      next.set(it.sender, found)
      return found
    })
  // The sort below keeps the order of those with the same place.
  return placed.reverse()
}

const keyOf = ({ sender, nonce }: Journal[number]) => `${sender} ${nonce}`

// Each nonce of a wallet is mined once, so the wallet's transaction count tells which transactions the chain has.
const missing = async (ask: Ask, journal: Journal): Promise<Replayable[]> => {
  const senders = [...new Set(journal.filter(it => it.mined).map(it => it.sender))]
  const counts = new Map<Address, number>()
  for (let from = 0; from < senders.length; from += atOnce) {
    await Promise.all(
      senders.slice(from, from + atOnce).map(async sender => {
        counts.set(sender, Number(await ask('eth_getTransactionCount', sender, 'latest')))
      }),
    )
  }
  return journal.flatMap(({ hash, raw, mined, nonce, sender, isForeign = false }) =>
    mined && nonce >= (counts.get(sender) ?? 0) ? [{ hash, raw, mined, isForeign }] : [],
  )
}

const toBlocks = (transactions: Replayable[]): Replayable[][] => {
  const byNumber = Map.groupBy(transactions, it => it.mined.blockNumber)
  return [...byNumber.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, block]) => block.sort((a, b) => a.mined.index - b.mined.index))
}

const replayBlock = async (ask: Ask, block: Replayable[]): Promise<MinedBlock> => {
  const head = await readHead(ask)
  const [first] = block
  const number = Number(first?.mined.blockNumber ?? 0n)
  const timestamp = Math.max(head.timestamp, Math.floor((first?.mined.blockTime ?? 0) / 1_000))
  await fillGap(ask, head, number - 1)

  for (const { raw, isForeign } of block) {
    const sending = ask('eth_sendRawTransaction', raw)
    // The money of a foreign sender may have come without a transaction. Its own program then sends again.
    await (isForeign ? sending.catch(() => undefined) : sending)
  }
  await ask('evm_setNextBlockTimestamp', timestamp)
  const mined = await mineBlock(ask)
  // Others may send to the node meanwhile. Only the order of the own transactions has to be the same.
  const own = block.filter(it => !it.isForeign).map(it => it.hash)
  if (mined.hashes.filter(hash => own.includes(hash)).join() !== own.join())
    throw new Error(`block ${number} cannot be mined again as it was`)
  return mined
}

// Blocks whose transactions are unknown are mined empty, so that later blocks keep their numbers.
const fillGap = async (ask: Ask, head: MinedBlock, upTo: number) => {
  if (head.number >= upTo) return
  await ask('evm_setNextBlockTimestamp', head.timestamp)
  await ask('anvil_mine', `0x${(upTo - head.number).toString(16)}`)
}
