import type { TradeTerms } from '../domain/agentToken.ts'
import type { Address, Hex } from '../domain/hex.ts'
import type { Atomic } from '../domain/money.ts'
import type { Curve } from '../domain/tokenCurve.ts'
import type { Call, Intent } from './rows.ts'

/** The asset that a token's curve holds. */
export type ReserveKind = 'usdc' | 'wrapped'

/**
 * An event of the launchpad. `place` is its index within its transaction, `at` the time of its block in epoch ms. For the
 * platform's fees, `token` is the address of the asset in which they are paid.
 */
export type TokenEvent = { token: Address; txHash: Hex; blockNumber: bigint; blockHash: Hex; place: number; at: number } & (
  | { name: 'launched'; agentNumber: bigint; creator: Address; asset: Address; tokenName: string; symbol: string }
  | { name: 'bought' | 'sold'; trader: Address; tokens: Atomic; amount: Atomic }
  | { name: 'fees-paid'; receiver: Address; amount: Atomic }
  | { name: 'platform-fees-paid'; receiver: Address; amount: Atomic }
)

/** The state of a curve as the contract stores it. `fees` are neither paid nor divided yet. */
export type CurveState = Curve & { agentNumber: bigint; reserveKind: ReserveKind; fees: Atomic }

/** The launchpad of a chain: tokens of agents on a bonding curve. */
export type Launchpad = {
  address: Address
  /** The wrapped coin of the chain; undefined where tokens are launched for USDC only. */
  wrappedCoin: Address | undefined
  /** The fee of a trade in basis points, the creator's part of it in basis points, and who receives the platform's part. */
  facts(): Promise<{ feeBps: number; creatorShareBps: number; treasury: Address; virtualReserves: Record<ReserveKind, Atomic> }>
  /** The curve in the newest block; undefined for an address that is no token of this launchpad. */
  curve(token: Address): Promise<CurveState | undefined>
  events(from: bigint, to: bigint): Promise<TokenEvent[]>
  /** Balance of an agent token or of the wrapped coin. */
  balance(asset: Address, of: Address): Promise<Atomic>

  // Calls to encode.
  launch(agentNumber: bigint, of: { reserveKind: ReserveKind; name: string; symbol: string }): Call
  /**
   * The calls of an agreed trade in order: an approval where the asset needs one, then the trade.
   * @throws SigningRefused without the user's consent
   */
  trade(terms: TradeTerms): Promise<Call[]>
  payCreatorFees(token: Address): Call
  /** The nonce of the authorization that a purchase with USDC signs. Anyone may send it, and the token accepts it once. */
  purchaseNonce(terms: TradeTerms): Hex
}

/** A launched token. Everything in it is read from the chain. */
export type LaunchedToken = {
  chainId: number
  token: Address
  agentId: string
  creator: Address
  reserveKind: ReserveKind
  name: string
  symbol: string
  virtualReserve: Atomic
  feeBps: number
  txHash: Hex
  blockNumber: bigint
  blockHash: Hex
  at: number
}

/** A trade as mined. `reserve` and `held` are the curve after it. */
export type MinedTrade = {
  chainId: number
  token: Address
  trader: Address
  side: 'buy' | 'sell'
  tokens: Atomic
  amount: Atomic
  fee: Atomic
  reserve: Atomic
  held: Atomic
  txHash: Hex
  blockNumber: bigint
  blockHash: Hex
  place: number
  at: number
}

/** A quote for a trade, and the trade once its user agreed. */
export type TradeOrder = TradeTerms & {
  user: Address
  /** What the quote expected, and its fee in the asset. */
  expectedOut: Atomic
  fee: Atomic
  digest: string
  createdAt: number
  agreedAt: number | undefined
}

/** An order with the state of its transaction; undefined before it was handed to the sender. */
export type FollowedOrder = TradeOrder & { sending: Intent['state'] | undefined; hash: Hex | undefined; reason: string }

/** The owner's order to launch a token. */
export type LaunchOrder = {
  id: string
  agentKey: string
  chainId: number
  reserveKind: ReserveKind
  name: string
  symbol: string
  createdAt: number
}

/** A launch order with the state of its transaction. */
export type FollowedLaunch = LaunchOrder & Pick<Intent, 'state' | 'hash' | 'reason'>

export type TokenTables = {
  // read from chains
  tokenCursor(chainId: number): Promise<{ number: bigint; hash: Hex } | undefined>
  /** Moves the cursor of the reader, unless another reader has moved it away from `from`; false then. */
  moveTokenCursor(
    chainId: number,
    of: { from: { number: bigint; hash?: Hex | undefined }; to: { number: bigint; hash: Hex } },
  ): Promise<boolean>
  /** Blocks with stored token events, newest first. */
  tokenBlocks(chainId: number, limit: number): Promise<{ number: bigint; hash: Hex }[]>
  /** False when it was stored before. */
  addToken(token: LaunchedToken): Promise<boolean>
  token(chainId: number, token: Address): Promise<LaunchedToken | undefined>
  tokenOfAgent(agentId: string): Promise<LaunchedToken | undefined>
  /** Newest first. */
  tokens(page: { chainId?: number; limit: number; offset: number }): Promise<LaunchedToken[]>
  countTokens(of: { chainId?: number }): Promise<number>
  /** Stores a trade and returns its number, which is never used again; undefined when it was stored before. */
  addMinedTrade(trade: MinedTrade): Promise<number | undefined>
  newestTrade(chainId: number, token: Address): Promise<MinedTrade | undefined>
  /** Newest first; those since a time in epoch ms. */
  minedTrades(of: { chainId: number; token: Address; since: number; limit: number }): Promise<MinedTrade[]>
  /** The trade of a transaction: its first one, or the one at `place`. */
  minedTrade(chainId: number, at: { txHash: Hex; place?: number }): Promise<MinedTrade | undefined>
  /** The trades of a wallet with an amount of the reserve, newest first. */
  tradesOf(of: Pick<MinedTrade, 'chainId' | 'token' | 'trader' | 'side' | 'amount'> & { limit: number }): Promise<MinedTrade[]>
  /** Number of wallets that traded a token. */
  countTraders(chainId: number, token: Address): Promise<number>
  addFeePayment(of: {
    chainId: number
    token: Address
    event: Extract<TokenEvent, { receiver: Address }>
  }): Promise<number | undefined>
  /** The creator's fees that were paid for a token, and the number of these payments. */
  paidFees(chainId: number, token: Address): Promise<{ sum: Atomic; payments: number }>
  /** Tokens that a wallet traded, newest first. */
  tradedTokens(chainId: number, trader: Address): Promise<LaunchedToken[]>
  /**
   * Deletes what was read above a block.
   * @returns the numbers of the deleted trades and fee payments, newest first
   */
  dropTokenEvents(chainId: number, above: bigint): Promise<{ trades: number[]; fees: number[] }>

  // orders
  /** Its intent must be added in the same transaction. */
  addLaunchOrder(order: Omit<LaunchOrder, 'createdAt'>): Promise<LaunchOrder>
  launchOrder(id: string): Promise<FollowedLaunch | undefined>
  /** The newest order of an agent. */
  newestLaunchOrder(agentKey: string): Promise<FollowedLaunch | undefined>
  /** Inserts a quote, and deletes the user's quotes whose deadline passed without a yes. Undefined above `maxOpen` open quotes. */
  addQuote(order: Omit<TradeOrder, 'createdAt' | 'agreedAt'>, maxOpen: number): Promise<TradeOrder | undefined>
  tradeOrder(id: string): Promise<FollowedOrder | undefined>
  tradeOrderOfDigest(user: Address, digest: string): Promise<FollowedOrder | undefined>
  /** Newest first. */
  tradeOrders(filter: { user: Address; limit: number }): Promise<FollowedOrder[]>
  /**
   * Records the user's yes before the deadline, unless another trade or a withdrawal of the wallet is under way. It takes a
   * lock of the wallet until the transaction ends.
   */
  agreeTrade(id: string): Promise<'agreed' | 'under-way' | 'too-late' | 'agreed-before'>
}
