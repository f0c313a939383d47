import { z } from 'zod'
import { type Address, address, hex } from '../../../../src/domain/hex.ts'
import { type Curve, quoteBuy, quoteSell, tokenSupply } from '../../../../src/domain/tokens/tokenCurve.ts'
import { addressOf, launchpadTerms, places } from './places.ts'
import { type At, moveUsdc, Reverted, require, useAllowance } from './rules.ts'
import { type AgentCurve, allowanceOf } from './state.ts'

// The rules of src/chain/contracts/TokenLaunchpad.sol for curves of USDC and wrapped coin, without bytecode. The quotes are those
// of the service, which `npm run trades` compares with the contract.

const whole = z.string().transform(it => BigInt(it))
const traded = { token: address, amountIn: whole, leastOut: whole, deadline: z.number() }

/**
 * The calls of launchpad and tokens. `buy` has the buyer's authorization, so anyone may send it. `buyApproved` is a purchase by its
 * sender after `approve`.
 */
export const launchpadCalls = [
  z.object({
    ...{ name: z.literal('launch'), agentNumber: whole, tokenName: z.string(), symbol: z.string() },
    reserveKind: z.enum(['usdc', 'wrapped']),
  }),
  z.object({ name: z.literal('buy'), ...traded, buyer: address, nonce: hex }),
  z.object({ name: z.literal('approve'), asset: address, spender: address, amount: whole }),
  z.object({ name: z.literal('buyApproved'), ...traded }),
  z.object({ name: z.literal('buyWithCoin'), ...traded }),
  z.object({ name: z.literal('sell'), ...traded }),
  z.object({ name: z.literal('sellForCoin'), ...traded }),
  z.object({ name: z.literal('payFees'), token: address }),
] as const
const launchpadCall = z.discriminatedUnion('name', launchpadCalls)
export type LaunchpadCall = z.output<typeof launchpadCall>
type Named<N extends LaunchpadCall['name']> = Extract<LaunchpadCall, { name: N }>

/** The name of a holder's balance. */
export const holding = (token: string, holder: string): string => `${token}/${holder}`
export const usedPurchase = ({ buyer, nonce }: { buyer: string; nonce: string }): string => `buy:${buyer}:${nonce}`

/**
 * Executes a call of the launchpad.
 * @throws Reverted
 */
export const runLaunchpad = (at: At, call: LaunchpadCall): void => {
  switch (call.name) {
    case 'launch':
      return void launch(at, call)
    case 'buy':
      return void buy(at, call)
    case 'approve':
      return void approve(at, call)
    case 'buyApproved':
      return void buyApproved(at, call)
    case 'buyWithCoin':
      return void buyWithCoin(at, call)
    case 'sell':
    case 'sellForCoin':
      return void sell(at, call)
    case 'payFees':
      return void payFees(at, call)
  }
}

export const tokenOfAgent = (agentNumber: bigint): Address => addressOf(`token of ${agentNumber}`)

const launch = ({ journal, sender, tellOfToken }: At, { agentNumber, tokenName, symbol, reserveKind }: Named<'launch'>) => {
  const { identities, curves } = journal.state
  const identity = identities.get(agentNumber)
  const token = tokenOfAgent(agentNumber)
  require(identity?.wallet === sender || identity?.owner === sender, 'not the owner of the agent')
  require(!curves.has(token), 'already launched')
  journal.put(curves, token, { agentNumber, reserveKind, reserve: 0n, held: tokenSupply, fees: 0n })
  const creator = identity?.owner ?? sender
  const asset = reserveKind === 'usdc' ? places.usdc : places.wrappedCoin
  tellOfToken({ name: 'launched', token, agentNumber, creator, asset, tokenName, symbol })
}

const curveIn = ({ journal }: At, token: Address): AgentCurve => {
  const curve = journal.state.curves.get(token)
  if (!curve) throw new Reverted('no such token')
  return curve
}

/** A stored curve with the terms of the launchpad. */
export const toCurve = ({ reserve, held, reserveKind }: AgentCurve): Curve => ({
  ...{ reserve, held, virtualReserve: launchpadTerms.virtualReserves[reserveKind], feeBps: launchpadTerms.feeBps },
})

const buy = (at: At, call: Named<'buy'>) => {
  const { journal } = at
  require(!journal.state.used.has(usedPurchase(call)), 'authorization used')
  require(curveIn(at, call.token).reserveKind === 'usdc', 'not a curve of USDC')
  journal.put(journal.state.used, usedPurchase(call), true)
  at.emit({ name: 'AuthorizationUsed', authorizer: call.buyer, nonce: call.nonce })
  purchase(at, call, call.buyer)
}

const approve = ({ journal, sender: owner }: At, { asset, spender, amount }: Named<'approve'>) =>
  journal.put(journal.state.allowances, allowanceOf(asset, { spender, owner }), amount)

const buyApproved = (at: At, call: Named<'buyApproved'>) => {
  const asset = curveIn(at, call.token).reserveKind === 'usdc' ? places.usdc : places.wrappedCoin
  useAllowance(at, asset, { spender: places.launchpad, owner: at.sender, amount: call.amountIn })
  purchase(at, call, at.sender)
}

/** The launchpad wraps the coin that came with the call. */
const buyWithCoin = (at: At, call: Named<'buyWithCoin'>) => {
  require(curveIn(at, call.token).reserveKind === 'wrapped', 'not a curve of wrapped coin')
  require(at.value === call.amountIn, 'another amount of coin')
  hold(at, holding(places.wrappedCoin, at.sender), at.value)
  purchase(at, call, at.sender)
}

type Bought = Pick<Named<'buy'>, 'token' | 'amountIn' | 'leastOut' | 'deadline'>

const purchase = (at: At, { token, amountIn, leastOut, deadline }: Bought, buyer: Address) => {
  const { journal, seconds, tellOfToken } = at
  const curve = curveIn(at, token)
  require(seconds <= deadline, 'past the deadline')
  const { out, fee, after } = quoteBuy(toCurve(curve), amountIn)
  require(out > 0n && out >= leastOut, 'too few tokens')
  moveAsset(at, curve, { from: buyer, to: places.launchpad, amount: amountIn })
  hold(at, holding(token, buyer), out)
  journal.put(journal.state.curves, token, { ...curve, reserve: after.reserve, held: after.held, fees: curve.fees + fee })
  tellOfToken({ name: 'bought', token, trader: buyer, tokens: out, amount: amountIn })
}

const sell = (at: At, { name, token, amountIn, leastOut, deadline }: Named<'sell' | 'sellForCoin'>) => {
  const { journal, sender, seconds, tellOfToken } = at
  const curve = curveIn(at, token)
  require(seconds <= deadline, 'past the deadline')
  require((journal.state.tokens.get(holding(token, sender)) ?? 0n) >= amountIn, 'too few tokens held')
  const { out, fee, after } = quoteSell(toCurve(curve), amountIn)
  require(out >= leastOut, 'too little USDC')
  hold(at, holding(token, sender), -amountIn)
  journal.put(journal.state.curves, token, { ...curve, reserve: after.reserve, held: after.held, fees: curve.fees + fee })
  moveAsset(at, curve, { from: places.launchpad, to: sender, amount: out })
  if (name === 'sellForCoin') unwrap(at, curve, out)
  tellOfToken({ name: 'sold', token, trader: sender, tokens: amountIn, amount: out })
}

/** The seller gets coin in place of wrapped coin. */
const unwrap = (at: At, { reserveKind }: AgentCurve, amount: bigint) => {
  require(reserveKind === 'wrapped', 'not a curve of wrapped coin')
  const { coin } = at.journal.state
  hold(at, holding(places.wrappedCoin, at.sender), -amount)
  at.journal.put(coin, at.sender, (coin.get(at.sender) ?? 0n) + amount)
}

const payFees = (at: At, { token }: Named<'payFees'>) => {
  const { journal, tellOfToken } = at
  const curve = curveIn(at, token)
  const receiver = journal.state.identities.get(curve.agentNumber)?.wallet
  if (!receiver) throw new Reverted('no such agent')
  const amount = (curve.fees * launchpadTerms.creatorShareBps) / 10_000n
  journal.put(journal.state.curves, token, { ...curve, fees: 0n })
  moveAsset(at, curve, { from: places.launchpad, to: receiver, amount })
  tellOfToken({ name: 'fees-paid', token, receiver, amount })
}

/** Moves the asset of a curve. */
const moveAsset = (at: At, { reserveKind }: AgentCurve, moved: Parameters<typeof moveUsdc>[1]) => {
  if (reserveKind === 'usdc') return moveUsdc(at, moved)
  const from = holding(places.wrappedCoin, moved.from)
  require((at.journal.state.tokens.get(from) ?? 0n) >= moved.amount, 'too little wrapped coin')
  hold(at, from, -moved.amount)
  hold(at, holding(places.wrappedCoin, moved.to), moved.amount)
}

const hold = ({ journal }: At, name: string, amount: bigint) =>
  journal.put(journal.state.tokens, name, (journal.state.tokens.get(name) ?? 0n) + amount)
