import { z } from 'zod'
import { type Address, hex } from '../../../../src/domain/hex.ts'
import { formatUsdc } from '../../../../src/domain/money/money.ts'
import { coinSymbol } from '../../../../src/domain/tokens/agentToken.ts'
import { tokenDecimals } from '../../../../src/domain/tokens/tokenCurve.ts'
import { launchToken } from '../../../../src/features/tokens/launchToken.ts'
import { payTokenFees } from '../../../../src/features/tokens/payFees.ts'
import { quoteTrade } from '../../../../src/features/tokens/quoteTrade.ts'
import { tradeToken } from '../../../../src/features/tokens/tradeToken.ts'
import type { ContractCall } from '../chain/contracts.ts'
import { holding } from '../chain/launchpad.ts'
import { places, simulatedChainId } from '../chain/places.ts'
import { fromData } from '../chain/transactions.ts'
import type { Random } from '../random.ts'
import { stranger } from '../weather.ts'
import type { Answer, World } from '../world.ts'
import type { Agent } from './provider.ts'

/** A user who trades tokens of agents from a custodial wallet. */
export type Trader = { user: Address; wallet: Address; trades: number; open: Quoted[] }
type Quoted = { token: Address; digest: string; rounds: number }

type Acting = { world: World; trader: Trader; agents: Agent[]; random: Random }

export const createTrader = (user: Address, wallet: Address, random: Random): Trader => ({
  ...{ user, wallet, trades: 2 + random.int(6), open: [] },
})

/** Clients leave at once; the service goes on without them. */
const leaving = () => {
  const controller = new AbortController()
  controller.abort()
  return { signal: controller.signal }
}

/** Performs the next action of a trader, of the owner of an agent, or of a stranger who moves the price. */
export const actTrader = async (at: Acting): Promise<void> => {
  const { world, trader, random } = at
  const tokens = [...world.ground.chain.state.curves.keys()]
  const [token] = tokens
  if (!token || random.chance(0.08)) return launch(at)
  if (random.chance(0.1)) return moveThePrice(at, random.pick(tokens))
  if (random.chance(0.08)) return payFees(at)
  if (random.chance(0.15)) return sendOther(at)
  if (trader.open.length > 0 && random.chance(0.75)) return trade(at, random.pick(trader.open))
  if (trader.trades > 0) await quote(at, random.pick(tokens))
}

const launch = async ({ world, agents, random }: Acting) => {
  const registered = agents.filter(it => it.id)
  if (registered.length === 0) return
  const { id, owner, handle } = random.pick(registered)
  const input = { agent: id, name: handle, symbol: 'COIN', reserve_asset: random.chance(0.5) ? 'WBNB' : 'USDC' }
  const count = random.chance(0.15) ? 2 : 1
  if (count > 1) world.ground.faults.note(89, 'one launch twice at once')
  const request = () => world.ask({ operation: launchToken, input, wallet: owner, ...leaving() })
  await world.go(...Array.from({ length: count }, request))
}

const payFees = async ({ world, agents, random }: Acting) => {
  const registered = agents.filter(it => it.id)
  if (registered.length === 0) return
  const { id, owner } = random.pick(registered)
  await world.go(world.ask({ operation: payTokenFees, input: { agent: id }, wallet: owner }))
}

/** A stranger buys or sells, so that quotes of that moment may be refused. */
const moveThePrice = ({ world, random }: Acting, token: Address) => {
  const { chain, time, faults } = world.ground
  const deadline = Math.floor(time.now() / 1_000) + 3_600
  const held = chain.state.tokens.get(holding(token, stranger)) ?? 0n
  const isSale = held > 0n && random.chance(0.5)
  const isWrapped = chain.state.curves.get(token)?.reserveKind === 'wrapped'
  const paid = BigInt(1 + random.int(200_000)) * (isWrapped ? 10n ** 9n : 1n)
  const of = { token, leastOut: '0', deadline, amountIn: String(isSale ? held : paid) }
  const purchase: ContractCall = isWrapped
    ? { name: 'buyApproved', ...of }
    : { name: 'buy', ...of, buyer: stranger, nonce: hex.parse(`0x${random.hex(64)}`) }
  if (isWrapped && !isSale) chain.callFrom(stranger, approval(paid))
  const call: ContractCall = isSale ? { name: 'sell', ...of } : purchase
  if (chain.callFrom(stranger, call)) faults.note(87, 'price moved')
}

const approval = (amount: bigint): ContractCall => ({
  ...{ name: 'approve', asset: places.wrappedCoin, spender: places.launchpad, amount: String(amount) },
})

/** Somebody else sends a purchase that was seen in the pool. */
const sendOther = ({ world, random }: Acting) => {
  const { chain, faults } = world.ground
  const seen = [...chain.pool.values()].flatMap(({ call }) => {
    const asked = call.data === '0x' ? undefined : fromData(call.data)
    return asked?.name === 'buy' ? [asked] : []
  })
  if (seen.length === 0) return
  faults.note(91, 'purchase sent by somebody else')
  const { amountIn, leastOut, ...of } = random.pick(seen)
  chain.callFrom(stranger, { ...of, amountIn: String(amountIn), leastOut: String(leastOut) })
}

const quoted = z.looseObject({ digest: z.string() })

const quote = async ({ world, trader, random }: Acting, token: Address) => {
  const held = world.ground.chain.state.tokens.get(holding(token, trader.wallet)) ?? 0n
  const isSale = held > 0n && random.chance(0.5)
  const share = random.pick([held, held / 2n, held / 7n, 2n * held])
  const isWrapped = world.ground.chain.state.curves.get(token)?.reserveKind === 'wrapped'
  const paid = isWrapped
    ? ['0.0001', '0.0005', '0.00123456789', '0.000000002', '5']
    : ['0.1', '0.5', '1.234567', '0.000002', '50']
  const asset = isWrapped && random.chance(0.6) ? coinSymbol(simulatedChainId) : undefined
  const amount = isSale ? formatUsdc(share, tokenDecimals) : random.pick(paid)
  const [slippage_bps, seconds] = [random.pick([0, 100, 1_000]), random.pick([30, 60, 300])]
  trader.trades -= 1
  const heard = (answer: Answer) => {
    const { data } = quoted.safeParse('value' in answer ? answer.value : undefined)
    if (!data) return
    trader.open.push({ token, digest: data.digest, rounds: 0 })
    if (!world.log.trades.has(data.digest)) world.log.trades.set(data.digest, { user: trader.user, isAgreed: false })
  }
  const input = { token, chain_id: 97, side: isSale ? 'sell' : 'buy', amount, asset, slippage_bps, seconds }
  await world.go(world.ask({ operation: quoteTrade, input, wallet: trader.user, heard }))
}

const told = z.looseObject({ status: z.enum(['pending', 'done', 'failed']) })

/** Says yes to a quote, also again and twice at once, like a client that did not receive the answer. */
const trade = async ({ world, trader, random }: Acting, it: Quoted) => {
  const { faults } = world.ground
  const { token, digest } = it
  const count = random.chance(0.2) ? 2 : 1
  if (count > 1) faults.note(89, 'one trade twice at once')
  const agreed = world.log.trades.get(digest)
  if (agreed) agreed.isAgreed = true
  it.rounds += 1
  const close = () => {
    trader.open = trader.open.filter(other => other !== it)
  }
  const heard = (answer: Answer) => {
    if (random.chance(0.2)) return faults.note(89, 'answer to a trade lost')
    const { data } = told.safeParse('value' in answer ? answer.value : undefined)
    if (data && data.status !== 'pending') close()
    if ('problem' in answer && answer.problem !== 'chain-unavailable' && answer.problem !== 'trade-pending') close()
  }
  const input = { token, chain_id: 97, digest }
  const request = () => world.ask({ operation: tradeToken, input, wallet: trader.user, ...leaving(), heard })
  await world.go(...Array.from({ length: count }, request))
  if (it.rounds > 12) close()
}
