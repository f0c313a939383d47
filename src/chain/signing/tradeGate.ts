import { decodeFunctionData, isAddressEqual } from 'viem'
import { isStoredDigest } from '../../domain/consent/digest.ts'
import type { Address } from '../../domain/hex.ts'
import { type TradeTerms, toTradeDigest } from '../../domain/tokens/agentToken.ts'
import type { Agent, Call, Chain, FollowedLaunch, FollowedOrder } from '../../ports.ts'
import { testUsdcAbi } from '../contracts/artifacts/TestUsdc.ts'
import { tokenLaunchpadAbi as abi } from '../contracts/artifacts/TokenLaunchpad.ts'
import { SigningRefused } from './signerPolicy.ts'
import { plainTrade, toBuyTerms } from './tradeCalls.ts'

/**
 * The agreed order behind a trade. Its terms are those that its user agreed to.
 * @throws SigningRefused without the user's yes
 */
export const checkAgreed = (order: FollowedOrder | undefined, terms: Pick<TradeTerms, 'id' | 'wallet'>): FollowedOrder => {
  if (order?.agreedAt === undefined) throw new SigningRefused(`trade ${terms.id} has no consent of its user`)
  if (order.wallet !== terms.wallet) throw new SigningRefused(`${terms.wallet} is not the wallet of trade ${order.id}`)
  if (!isStoredDigest(order.digest, toTradeDigest(order)))
    throw new SigningRefused(`trade ${order.id} was changed after the consent`)
  return order
}

type Signed = { call: Call; addresses: Chain['addresses'] }

/**
 * A wallet signs exactly the trade that its user agreed to, or the approval of exactly its amount.
 * @throws SigningRefused
 */
export const checkTrade = (order: FollowedOrder, { call, addresses }: Signed): void => {
  const refuse = () => new SigningRefused(`the call is not that of trade ${order.id}`)
  const { to, data, value } = call
  if (!addresses.launchpad || !to) throw refuse()
  if (value !== (order.side === 'buy' && order.asset === 'coin' ? order.amountIn : 0n)) throw refuse()
  if (!isAddressEqual(to, addresses.launchpad)) {
    const { functionName, args } = decodeFunctionData({ abi: testUsdcAbi, data })
    const asset: Address | undefined = order.asset === 'usdc' ? addresses.usdc : addresses.wrappedCoin
    if (order.side !== 'buy' || asset?.toLowerCase() !== to.toLowerCase() || functionName !== 'approve') throw refuse()
    if (args[1] !== order.amountIn || !isAddressEqual(args[0], addresses.launchpad)) throw refuse()
    return
  }
  if (data === plainTrade(order)) return
  const { functionName, args } = decodeFunctionData({ abi, data })
  if (functionName !== 'buyWithAuthorization' || order.side !== 'buy' || order.asset !== 'usdc') throw refuse()
  const [signed, agreed] = [args[0], toBuyTerms(order)]
  const isSame =
    isAddressEqual(signed.buyer, agreed.buyer) &&
    isAddressEqual(signed.token, agreed.token) &&
    (['amountIn', 'minTokens', 'deadline', 'salt'] as const).every(it => signed[it] === agreed[it])
  if (!isSame) throw refuse()
}

type Launching = { order: FollowedLaunch | undefined; agent: Agent | undefined; sender: Address }

/**
 * The wallet of an agent launches only its own token, with the name and symbol that its owner ordered.
 * @throws SigningRefused
 */
export const checkLaunch = ({ order, agent, sender }: Launching, { call, addresses }: Signed): void => {
  const { functionName, args } = decodeFunctionData({ abi, data: call.data })
  // This call pays the fees to the agent, whoever sends it.
  if (functionName === 'payCreatorFees') return
  const refuse = () => new SigningRefused('the call is not the launch that the agent’s owner ordered')
  if (functionName !== 'launch' || !order || agent?.key !== order.agentKey || agent.wallet !== sender) throw refuse()
  const [number, asset, name, symbol] = args
  const reserve = order.reserveKind === 'usdc' ? addresses.usdc : addresses.wrappedCoin
  const isOrdered = asset.toLowerCase() === reserve && name === order.name && symbol === order.symbol
  if (!isOrdered || agent.id?.split(':').at(-1) !== `${number}`) throw refuse()
}
