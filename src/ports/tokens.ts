import { z } from 'zod'
import { type Address, address, type Hex, hex } from '../domain/hex.ts'
import type { Atomic } from '../domain/money/money.ts'
import type { TradeTerms } from '../domain/tokens/agentToken.ts'
import type { Curve } from '../domain/tokens/tokenCurve.ts'
import { amount, type RowOf, whole } from './rows/columns.ts'
import type { Call, Intent } from './rows.ts'

/** The asset that a token's curve holds. */
const reserveKind = z.enum(['usdc', 'wrapped'])
export type ReserveKind = z.infer<typeof reserveKind>

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

const mined = { txHash: hex, blockNumber: whole, blockHash: hex, at: z.number() }

/** A launched token. Everything in it is read from the chain. */
export const tokenRow = {
  chainId: z.number(),
  token: address,
  agentId: z.string(),
  creator: address,
  reserveKind,
  name: z.string(),
  symbol: z.string(),
  virtualReserve: amount,
  feeBps: z.number(),
  ...mined,
}
export type LaunchedToken = RowOf<typeof tokenRow>

/** A trade as mined. `reserve` and `held` are the curve after it. */
export const tradeRow = {
  chainId: z.number(),
  token: address,
  trader: address,
  side: z.enum(['buy', 'sell']),
  tokens: amount,
  amount,
  fee: amount,
  reserve: amount,
  held: amount,
  place: z.number(),
  ...mined,
}
export type MinedTrade = RowOf<typeof tradeRow>

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
export const launchRow = {
  id: z.string(),
  agentKey: z.string(),
  chainId: z.number(),
  reserveKind,
  name: z.string(),
  symbol: z.string(),
  createdAt: z.number(),
}
export type LaunchOrder = RowOf<typeof launchRow>

export type FollowedLaunch = LaunchOrder & Pick<Intent, 'state' | 'hash' | 'reason'>

/** What a signer reads about tokens, as its users agreed to it. Absent in a service without tokens. */
export type TokenReads = {
  token(chainId: number, token: Address): Promise<LaunchedToken | undefined>
  launchOrder(id: string): Promise<FollowedLaunch | undefined>
  tradeOrder(id: string): Promise<FollowedOrder | undefined>
}
