import { z } from 'zod'
import { chainId, chainOfQuery } from '../../domain/chains/chains.ts'
import { limits } from '../../domain/limits.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import { assetSymbol, coinDecimals } from '../../domain/tokens/agentToken.ts'
import { quoteSell, tokenDecimals } from '../../domain/tokens/tokenCurve.ts'
import { chainOf, operation, userOf } from '../../operations/operation.ts'
import { waitUntil } from '../../operations/waiting.ts'
import { launchpadOf } from '../../operations/wallets/readWallet.ts'
import { holdingsRecord } from '../../records/token.ts'
import { tokenTables } from './ports.ts'
import { reserveDecimals } from './tokenRecord.ts'

export const listHoldings = operation({
  name: 'listHoldings',
  summary: 'Tokens in your custodial wallet that it traded, with what a sale of all would pay now, and its coin.',
  scope: 'look',
  input: z.object({ chain_id: chainOfQuery }),
  output: holdingsRecord,

  async run({ chain_id }, deps, caller) {
    const { chain, launchpad } = launchpadOf(deps, chain_id)
    const wallet = await deps.wallets.ensure('user', userOf(caller))
    const holdings = (await tokenTables(deps.store).tradedTokens(chain_id, wallet)).map(async token => {
      const [balance, curve] = [await launchpad.balance(token.token, wallet), await launchpad.curve(token.token)]
      if (balance === 0n || !curve) return []
      const sells_for = formatUsdc(quoteSell(curve, balance).out, reserveDecimals(token, chain))
      const { token: address, symbol, agentId: agent_id, reserveKind } = token
      const of = { token: address, symbol, agent_id, balance: formatUsdc(balance, tokenDecimals) }
      return [{ ...of, sells_for, asset: assetSymbol(reserveKind, chain_id) }]
    })
    const coin = (await chain.coinBalance?.(wallet)) ?? 0n
    const wrapped = launchpad.wrappedCoin ? await launchpad.balance(launchpad.wrappedCoin, wallet) : 0n
    return {
      wallet,
      coin: { symbol: assetSymbol('coin', chain_id), balance: formatUsdc(coin, coinDecimals) },
      wrapped_coin: { symbol: assetSymbol('wrapped', chain_id), balance: formatUsdc(wrapped, coinDecimals) },
      holdings: (await Promise.all(holdings)).flat(),
    }
  },
})

/** Coin of one gift, in wei. */
const giftWei = 10n ** BigInt(coinDecimals)

export const takeTestCoin = operation({
  name: 'takeTestCoin',
  summary: 'Give your custodial wallet one test coin, once. Only in the local world, where coin has no value.',
  scope: 'money',
  input: z.object({ chain_id: chainId }),
  output: z.object({ symbol: z.string(), amount: z.string(), status: z.enum(['pending', 'done']) }),

  async run({ chain_id }, deps, caller) {
    const [user, chain] = [userOf(caller), chainOf(deps, chain_id)]
    if (!deps.settings.local || !chain.faucet) throw new Problem('method-not-offered', 'There is no test coin on this chain.')
    const to = await deps.wallets.ensure('user', user)
    const key = `test-coin:${chain_id}:${user}`
    const call = { ...chain.topUp(to), value: giftWei }
    await deps.store.addIntents([{ key, chainId: chain_id, sender: chain.treasury, call, after: undefined }])
    const at = { channel: `intent:${key}`, deadline: deps.clock.now() + limits.tokenWaitMs }
    const isDone = async () => ((await deps.store.intent(key))?.state === 'confirmed' ? true : undefined)
    const status = (await waitUntil(deps, at, isDone)) ? ('done' as const) : ('pending' as const)
    return { symbol: assetSymbol('coin', chain_id), amount: formatUsdc(giftWei, coinDecimals), status }
  },
})
