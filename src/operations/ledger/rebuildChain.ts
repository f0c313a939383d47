import type { Chain, Follower, Store } from '../../ports.ts'
import { applyChainEvents } from './applyChainEvents.ts'

type Page = { afterSeq: number; limit: number }

const pageRows = 100

/** Does one thing after the other for each row of a chain, which are read page by page. The first failure ends it. */
export const everyRow = async <T extends { seq: number }>(
  readPage: (chainId: number, page: Page) => Promise<T[]>,
  chainId: number,
  work: (row: T) => Promise<unknown>,
): Promise<void> => {
  for (let page = await readPage(chainId, { afterSeq: 0, limit: pageRows }); page.length > 0; ) {
    for (const row of page) await work(row)
    page = await readPage(chainId, { afterSeq: page.at(-1)?.seq ?? 0, limit: pageRows })
  }
}

const rangeBlocks = 2_000n

/**
 * Deletes everything derived from a chain and processes its events again. Jobs, ledger and events end in the same state, unless
 * the chain contradicts them: payments without an escrow are kept where their transfer is on chain. No other process may read
 * the chain meanwhile, so the service must be stopped.
 * @param isWhole read from block 0, as on the embedded chain. Otherwise read from the first stored event, which is never below
 * the first block of this database.
 */
export const rebuildChain = async (deps: Reach, { isWhole = true } = {}): Promise<void> => {
  await readAgain(deps, isWhole)
  await checkPayments(deps)
}

type Reach = { store: Store; chain: Chain; followers: readonly Follower[] }

/** Payments without an escrow follow from their transactions, which are not among the events of the escrow. */
export const checkPayments = async ({ store, chain, followers }: Reach): Promise<void> => {
  for (const it of followers) await it.checkAll?.({ store, chain })
}

const readAgain = async (deps: Reach, isWhole: boolean): Promise<void> => {
  const { store, chain } = deps
  const from = isWhole ? 0n : (await store.chainEvents(chain.chainId, -1n)).at(-1)?.blockNumber
  if (from === undefined) return
  const head = await chain.head()
  await store.forgetChain(chain.chainId)
  for (let at = from; at <= head.number; at += rangeBlocks) {
    const last = at + rangeBlocks - 1n
    const to = last < head.number ? last : head.number
    const events = await chain.events(at, to)
    const hash = to === head.number ? head.hash : await chain.blockHash(to)
    if (!hash) throw new RangeError(`chain ${chain.chainId} lost block ${to} while it was read again`)
    await applyChainEvents(deps, events, { cursor: { number: to, hash }, isReread: true })
  }
}
