import type { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { toWallet } from '../../domain/hex.ts'
import { type Atomic, formatUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import { assetSymbol, coinDecimals } from '../../domain/tokens/agentToken.ts'
import { formatPrice, priceOf, tokenDecimals, tokenSupply } from '../../domain/tokens/tokenCurve.ts'
import { resolveAgent } from '../../operations/agents/resolveAgent.ts'
import type { Deps } from '../../operations/operation.ts'
import { renamed } from '../../operations/renamed.ts'
import type { Chain, LaunchedToken } from '../../ports.ts'
import type { tokenRecord } from '../../records/token.ts'
import { curveOf } from './applyTokenEvents.ts'
import { tokenTables } from './ports.ts'

export const reserveDecimals = (
  { reserveKind }: Pick<LaunchedToken, 'reserveKind'>,
  { usdcDecimals }: Pick<Chain, 'usdcDecimals'>,
) => (reserveKind === 'usdc' ? usdcDecimals : coinDecimals)

export const toTokenRecord = async (
  { store, chains }: Pick<Deps, 'store' | 'chains'>,
  token: LaunchedToken,
): Promise<z.infer<typeof tokenRecord>> => {
  const { chainId } = token
  const curve = curveOf(token, await tokenTables(store).newestTrade(chainId, token.token))
  const decimals = reserveDecimals(token, { usdcDecimals: chains.get(chainId)?.usdcDecimals ?? 6 })
  const money = (amount: Atomic) => formatUsdc(amount, decimals)
  const tokens = (amount: Atomic) => formatUsdc(amount, tokenDecimals)
  return {
    ...renamed(token, ['token', 'agentId', 'name', 'symbol', 'creator', 'feeBps', 'txHash']),
    chain_id: chainId,
    decimals: tokenDecimals,
    reserve_asset: assetSymbol(token.reserveKind, chainId),
    reserve_decimals: decimals,
    price: formatPrice(priceOf(curve), decimals),
    supply: tokens(tokenSupply),
    circulating: tokens(tokenSupply - curve.held),
    reserve: money(curve.reserve),
    market_value: money(((curve.virtualReserve + curve.reserve) * tokenSupply) / curve.held),
    traders: await tokenTables(store).countTraders(chainId, token.token),
    launched_at: toIso(token.at),
  }
}

/**
 * A token by its address, or by the id or handle of its agent.
 * @throws Problem token-not-found
 */
export const tokenOf = async (deps: Pick<Deps, 'store'>, text: string, chainId: number): Promise<LaunchedToken> => {
  const address = toWallet(text)
  const agent = address ? undefined : await resolveAgent(deps, text, chainId)
  const token = address
    ? await tokenTables(deps.store).token(chainId, address)
    : agent?.id && (await tokenTables(deps.store).tokenOfAgent(agent.id))
  if (!token) throw new Problem('token-not-found')
  return token
}
