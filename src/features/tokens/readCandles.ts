import { z } from 'zod'
import { chainOfQuery } from '../../domain/chains/chains.ts'
import { dayMs, hourMs, minuteMs, toIso } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { type Atomic, formatUsdc } from '../../domain/money/money.ts'
import { toCandles } from '../../domain/tokens/candles.ts'
import { formatPrice, priceOf } from '../../domain/tokens/tokenCurve.ts'
import { chainOf, operation } from '../../operations/operation.ts'
import { candlesRecord } from '../../records/token.ts'
import { curveOf } from './applyTokenEvents.ts'
import { tokenTables } from './ports.ts'
import { reserveDecimals, tokenOf } from './tokenRecord.ts'

const spans = { '1m': minuteMs, '15m': 15 * minuteMs, '1h': hourMs, '1d': dayMs }

export const readCandles = operation({
  name: 'readCandles',
  summary: 'Price bars of a token, oldest first. Spans without a trade have no bar.',
  caller: 'anyone',
  input: z.object({
    token: z.string().max(200),
    chain_id: chainOfQuery,
    span: z.enum(['1m', '15m', '1h', '1d']).default('1h'),
    limit: z.coerce.number().int().min(1).max(limits.candles).default(100),
  }),
  output: candlesRecord,

  async run({ token: text, chain_id, span, limit }, deps) {
    const token = await tokenOf(deps, text, chain_id)
    const spanMs = spans[span]
    const since = deps.clock.now() - spanMs * limit
    const newestFirst = await tokenTables(deps.store).minedTrades({
      chainId: token.chainId,
      token: token.token,
      since: 0,
      limit: limits.candleTrades,
    })
    const trades = newestFirst.toReversed()
    const decimals = reserveDecimals(token, chainOf(deps, token.chainId))
    const money = (amount: Atomic) => formatUsdc(amount, decimals)
    const price = (value: bigint) => formatPrice(value, decimals)
    const recent = trades.filter(it => it.at >= since).map(it => ({ ...it, price: priceOf(curveOf(token, it)) }))
    const before = trades.findLast(it => it.at < since)
    const candles = toCandles(recent, priceOf(curveOf(token, before)), spanMs).slice(-limit)
    return {
      span,
      currency: token.reserveKind === 'usdc' ? 'USDC' : 'wrapped coin',
      candles: candles.map(({ start, open, high, low, close, volume, trades: count }) => ({
        start: toIso(start),
        open: price(open),
        high: price(high),
        low: price(low),
        close: price(close),
        volume: money(volume),
        trades: count,
      })),
    }
  },
})
