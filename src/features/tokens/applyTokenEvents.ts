import { toAgentId } from '../../domain/agents/agentId.ts'
import type { Hex } from '../../domain/hex.ts'
import { boughtFor, type Curve, quoteBuy, quoteSell, soldFor, type Trade, tokenSupply } from '../../domain/tokens/tokenCurve.ts'
import type { Chain, LaunchedToken, Launchpad, MinedTrade, Store, Tables, TokenEvent } from '../../ports.ts'
import { type FeeEvent, tokenTables } from './ports.ts'
import { bookFees, bookPlatformFees, bookTrade, unbookTokens } from './tokenBookings.ts'

type Reach = { store: Store; chain: Chain; launchpad: Launchpad }
type Named<N extends TokenEvent['name']> = Extract<TokenEvent, { name: N }>
/** A trade (its hash and place) that does not follow from the stored ones: an event above the block `readAfter` is missing. */
export class EventMissing extends Error {
  readonly trade: string
  readonly readAfter: bigint
  constructor(trade: string, readAfter: bigint) {
    super(`the trade ${trade} does not follow from the trades before it`)
    this.trade = trade
    this.readAfter = readAfter
  }
}

type Block = { number: bigint; hash: Hex }
type Range = {
  /** The cursor at which the range begins. Nothing is stored when another reader has moved it. */
  from: { number: bigint; hash?: Hex | undefined }
  to: Block
  /** Stores trades with their mined amounts, although they do not follow from the stored ones. */
  takesGaps?: boolean
}

/**
 * Stores a range of launchpad events with their postings in one write. Events that were stored before are skipped.
 * @returns false, and stores nothing, when another reader has moved the cursor
 * @throws EventMissing and stores nothing, unless `takesGaps`
 */
export const applyTokenEvents = async (
  { store, chain, launchpad }: Reach,
  events: TokenEvent[],
  { from, to, takesGaps = false }: Range,
): Promise<boolean> => {
  if (events.length === 0) return tokenTables(store).moveTokenCursor(chain.chainId, { from, to })
  const facts = await launchpad.facts()
  return store.atomically(async tables => {
    if (!(await tokenTables(tables).moveTokenCursor(chain.chainId, { from, to }))) return false
    for (const event of events) await apply({ tables, chain, launchpad, facts, takesGaps }, event)
    return true
  })
}

type Applying = { tables: Tables; chain: Chain; launchpad: Launchpad; facts: Facts; takesGaps: boolean }
type Facts = Awaited<ReturnType<Launchpad['facts']>>

const apply = async (at: Applying, event: TokenEvent): Promise<void> => {
  if (event.name === 'launched') return addLaunched(at, event)
  if (event.name === 'platform-fees-paid') return addPlatformFees(at, event)
  const token = await tokenTables(at.tables).token(at.chain.chainId, event.token)
  // Tokens that were launched before the first block of this database are not followed.
  if (!token) return
  if (event.name === 'fees-paid') return addFees(at, event, token)
  return addTrade(at, event, token)
}

const addLaunched = async ({ tables, chain, facts }: Applying, event: Named<'launched'>) => {
  const { token, creator, symbol, txHash, blockNumber, blockHash, at } = event
  const reserveKind = event.asset === chain.addresses.usdc ? ('usdc' as const) : ('wrapped' as const)
  const { chainId } = chain
  await tokenTables(tables).addToken({
    chainId,
    token,
    creator,
    reserveKind,
    name: event.tokenName,
    symbol,
    agentId: toAgentId(chainId, chain.addresses.registry, event.agentNumber),
    virtualReserve: facts.virtualReserves[reserveKind],
    feeBps: facts.feeBps,
    txHash,
    blockNumber,
    blockHash,
    at,
  })
}

/** The curve of a token after its newest stored trade. */
export const curveOf = (token: LaunchedToken, newest: MinedTrade | undefined): Curve => ({
  virtualReserve: token.virtualReserve,
  feeBps: token.feeBps,
  reserve: newest?.reserve ?? 0n,
  held: newest?.held ?? tokenSupply,
})

const addTrade = async (at: Applying, event: Named<'bought' | 'sold'>, token: LaunchedToken) => {
  const { tables, launchpad } = at
  const { chainId } = token
  const { trader, tokens, amount, txHash, blockNumber, blockHash, place, at: minedAt } = event
  if (await tokenTables(tables).minedTrade(chainId, { txHash, place })) return
  const { fee, after } = followUp(at, event, { token, newest: await tokenTables(tables).newestTrade(chainId, token.token) })
  const trade: MinedTrade = {
    chainId,
    token: token.token,
    trader,
    side: sideOf(event),
    tokens,
    amount,
    fee,
    reserve: after.reserve,
    held: after.held,
    txHash,
    blockNumber,
    blockHash,
    place,
    at: minedAt,
  }
  const seq = await tokenTables(tables).addMinedTrade(trade)
  if (seq === undefined) return
  const intent = await tables.intentByHash(chainId, txHash)
  const order = await tokenTables(tables).tradeOrder(intent?.key.split(':')[1] ?? '')
  await bookTrade(tables, { seq, trade, token, isCoin: order?.asset === 'coin', wrapped: launchpad.wrappedCoin })
}

const sideOf = ({ name }: Named<'bought' | 'sold'>) => (name === 'bought' ? ('buy' as const) : ('sell' as const))

type Before = { token: LaunchedToken; newest: MinedTrade | undefined }

/** The fee of a trade and the curve after it. */
const followUp = (
  { takesGaps }: Applying,
  event: Named<'bought' | 'sold'>,
  { token, newest }: Before,
): Pick<Trade, 'fee' | 'after'> => {
  const { name, tokens, amount, txHash, place } = event
  const before = curveOf(token, newest)
  const trade = name === 'bought' ? quoteBuy(before, amount) : quoteSell(before, tokens)
  if (trade.out === (name === 'bought' ? tokens : amount)) return trade
  if (takesGaps) return name === 'bought' ? boughtFor(before, amount, tokens) : soldFor(before, tokens, amount)
  const known = newest?.blockNumber ?? token.blockNumber
  throw new EventMissing(`${txHash}:${place}`, known - 1n)
}

const addFees = async ({ tables, launchpad, facts }: Applying, event: FeeEvent, token: LaunchedToken) => {
  const seq = await tokenTables(tables).addFeePayment({ chainId: token.chainId, token: token.token, event })
  if (seq !== undefined) await bookFees(tables, { seq, event, token, facts, wrapped: launchpad.wrappedCoin })
}

const addPlatformFees = async ({ tables, chain }: Applying, event: FeeEvent) => {
  const seq = await tokenTables(tables).addFeePayment({ chainId: chain.chainId, token: event.token, event })
  if (seq !== undefined) await bookPlatformFees(tables, { seq, event, chain })
}

/** Forgets what was read above a block, and reverses its postings, unless another reader has moved the cursor. */
export const retractTokenEvents = (
  { store, chain }: Pick<Reach, 'store' | 'chain'>,
  { from, to }: Pick<Range, 'from' | 'to'>,
): Promise<void> =>
  store.atomically(async tables => {
    if (!(await tokenTables(tables).moveTokenCursor(chain.chainId, { from, to }))) return
    await unbookTokens(tables, await tokenTables(tables).dropTokenEvents(chain.chainId, to.number))
  })
