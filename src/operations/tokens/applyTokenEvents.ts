import { toAgentId } from '../../domain/agentId.ts'
import type { Hex } from '../../domain/hex.ts'
import { type Curve, priceOf, quoteBuy, quoteSell, tokenSupply } from '../../domain/tokenCurve.ts'
import type { Chain, LaunchedToken, Launchpad, MinedTrade, Store, Tables, TokenEvent } from '../../ports.ts'
import { bookFees, bookTrade, unbookTokens } from './tokenBookings.ts'

type Reach = { store: Store; chain: Chain; launchpad: Launchpad }
type Named<N extends TokenEvent['name']> = Extract<TokenEvent, { name: N }>

/** Stores a range of launchpad events with their postings in one write. Events that were stored before are skipped. */
export const applyTokenEvents = async (
  { store, chain, launchpad }: Reach,
  events: TokenEvent[],
  cursor: { number: bigint; hash: Hex },
): Promise<void> => {
  const facts = await launchpad.facts()
  await store.atomically(async tables => {
    for (const event of events) await apply({ tables, chain, launchpad, facts }, event)
    await tables.setTokenCursor(chain.chainId, cursor)
  })
}

type Applying = { tables: Tables; chain: Chain; launchpad: Launchpad; facts: Awaited<ReturnType<Launchpad['facts']>> }

const apply = async (at: Applying, event: TokenEvent): Promise<void> => {
  if (event.name === 'launched') return addLaunched(at, event)
  const token = await at.tables.token(at.chain.chainId, event.token)
  // Tokens that were launched before the first block of this database are not followed.
  if (!token) return
  if (event.name === 'fees-paid') return addFees(at, event, token)
  return addTrade(at, event, token)
}

const addLaunched = async ({ tables, chain, facts }: Applying, event: Named<'launched'>) => {
  const { token, creator, symbol, txHash, blockNumber, blockHash, at } = event
  const reserveKind = event.asset === chain.addresses.usdc ? ('usdc' as const) : ('wrapped' as const)
  const { chainId } = chain
  await tables.addToken({
    ...{ chainId, token, creator, reserveKind, name: event.tokenName, symbol },
    agentId: toAgentId(chainId, chain.addresses.registry, event.agentNumber),
    ...{ virtualReserve: facts.virtualReserves[reserveKind], feeBps: facts.feeBps },
    ...{ txHash, blockNumber, blockHash, at },
  })
}

/** The curve of a token after its newest stored trade. */
export const curveOf = (token: LaunchedToken, newest: MinedTrade | undefined): Curve => ({
  ...{ virtualReserve: token.virtualReserve, feeBps: token.feeBps },
  ...{ reserve: newest?.reserve ?? 0n, held: newest?.held ?? tokenSupply },
})

const addTrade = async ({ tables, launchpad }: Applying, event: Named<'bought' | 'sold'>, token: LaunchedToken) => {
  const { chainId } = token
  const before = curveOf(token, await tables.newestTrade(chainId, token.token))
  const side = event.name === 'bought' ? ('buy' as const) : ('sell' as const)
  const { fee, out, after } = side === 'buy' ? quoteBuy(before, event.amount) : quoteSell(before, event.tokens)
  if (out !== (side === 'buy' ? event.tokens : event.amount))
    throw new RangeError(`a trade of ${token.token} in ${event.txHash} does not follow from the trades before it`)
  const { trader, tokens, amount, txHash, blockNumber, blockHash, place, at } = event
  const trade: MinedTrade = {
    ...{ chainId, token: token.token, trader, side, tokens, amount, fee, reserve: after.reserve, held: after.held },
    ...{ price: priceOf(after), txHash, blockNumber, blockHash, place, at },
  }
  const seq = await tables.addMinedTrade(trade)
  if (seq === undefined) return
  const intent = await tables.intentByHash(chainId, txHash)
  const order = await tables.tradeOrder(intent?.key.split(':')[1] ?? '')
  await bookTrade(tables, { seq, trade, token, isCoin: order?.asset === 'coin', wrapped: launchpad.wrappedCoin })
}

const addFees = async ({ tables, launchpad, facts }: Applying, event: Named<'fees-paid'>, token: LaunchedToken) => {
  const seq = await tables.addFeePayment({ chainId: token.chainId, token: token.token, event })
  if (seq !== undefined) await bookFees(tables, { seq, event, token, facts, wrapped: launchpad.wrappedCoin })
}

/** Forgets what was read above a block, and reverses its postings. */
export const retractTokenEvents = (
  { store, chain }: Pick<Reach, 'store' | 'chain'>,
  cursor: { number: bigint; hash: Hex },
): Promise<void> =>
  store.atomically(async tables => {
    await unbookTokens(tables, await tables.dropTokenEvents(chain.chainId, cursor.number))
    await tables.setTokenCursor(chain.chainId, cursor)
  })
