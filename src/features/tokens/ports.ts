import type { Address, Hex } from '../../domain/hex.ts'
import type { Atomic } from '../../domain/money/money.ts'
import type {
  FollowedLaunch,
  FollowedOrder,
  LaunchedToken,
  LaunchOrder,
  MinedTrade,
  Tables,
  TokenEvent,
  TokenReads,
  TradeOrder,
} from '../../ports.ts'

export type FeeEvent = Extract<TokenEvent, { receiver: Address }>

export type TokenTables = OrderTables & ReadTables

export type ReadTables = Pick<TokenReads, 'token'> & {
  tokenCursor(chainId: number): Promise<{ number: bigint; hash: Hex } | undefined>
  /** Moves the cursor of the reader, unless another reader has moved it away from `from`; false then. */
  moveTokenCursor(
    chainId: number,
    of: { from: { number: bigint; hash?: Hex | undefined }; to: { number: bigint; hash: Hex } },
  ): Promise<boolean>
  tokenBlocks(chainId: number, limit: number): Promise<{ number: bigint; hash: Hex }[]>
  /** False when it was stored before. */
  addToken(token: LaunchedToken): Promise<boolean>
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
  countTraders(chainId: number, token: Address): Promise<number>
  addFeePayment(of: { chainId: number; token: Address; event: FeeEvent }): Promise<number | undefined>
  /** The creator's fees that were paid for a token, and the number of these payments. */
  paidFees(chainId: number, token: Address): Promise<{ sum: Atomic; payments: number }>
  /** Tokens that a wallet traded, newest first. */
  tradedTokens(chainId: number, trader: Address): Promise<LaunchedToken[]>
  /**
   * Deletes what was read above a block.
   * @returns the numbers of the deleted trades and fee payments, newest first
   */
  dropTokenEvents(chainId: number, above: bigint): Promise<{ trades: number[]; fees: number[] }>
}

/** Orders of owners and users. */
export type OrderTables = Pick<TokenReads, 'launchOrder' | 'tradeOrder'> & {
  /** Its intent must be added in the same transaction. */
  addLaunchOrder(order: Omit<LaunchOrder, 'createdAt'>): Promise<LaunchOrder>
  newestLaunchOrder(agentKey: string): Promise<FollowedLaunch | undefined>
  /**
   * Inserts a quote, and deletes the user's quotes whose deadline passed without a yes. Undefined above `maxOpen` open quotes.
   */
  addQuote(order: Omit<TradeOrder, 'createdAt' | 'agreedAt'>, maxOpen: number): Promise<TradeOrder | undefined>
  tradeOrderOfDigest(user: Address, digest: string): Promise<FollowedOrder | undefined>
  /** Newest first. */
  tradeOrders(filter: { user: Address; limit: number }): Promise<FollowedOrder[]>
  /**
   * Records the user's yes before the deadline, unless another trade or a withdrawal of the wallet is under way. It takes a
   * lock of the wallet until the transaction ends.
   */
  agreeTrade(id: string): Promise<'agreed' | 'under-way' | 'too-late' | 'agreed-before'>
}

export const tokenTables = (tables: object): TokenTables => tables as Tables & TokenTables
