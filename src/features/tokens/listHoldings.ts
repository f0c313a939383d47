import { z } from 'zod'
import { chainOfQuery } from '../../domain/chains/chains.ts'
import { formatUsdc } from '../../domain/money/money.ts'
import { assetSymbol, coinDecimals } from '../../domain/tokens/agentToken.ts'
import { quoteSell, tokenDecimals } from '../../domain/tokens/tokenCurve.ts'
import { operation, userOf } from '../../operations/operation.ts'
import { launchpadOf } from '../../operations/wallets/launchpadOf.ts'
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
