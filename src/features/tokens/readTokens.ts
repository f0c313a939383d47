import { z } from 'zod'
import { chainOfQuery } from '../../domain/chains/chains.ts'
import { dayMs, hourMs, minuteMs, toIso } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { type Atomic, formatUsdc } from '../../domain/money/money.ts'
import { Problem } from '../../domain/problem.ts'
import { formatPrice, priceOf, toCandles } from '../../domain/tokens/tokenCurve.ts'
import { findRegistered } from '../../operations/agents/resolveAgent.ts'
import { chainOf, type Deps, operation } from '../../operations/operation.ts'
import type { LaunchedToken } from '../../ports.ts'
import { candlesRecord, tokenRecord } from '../../records/token.ts'
import { curveOf } from './applyTokenEvents.ts'
import { tokenTables } from './ports.ts'
import { reserveDecimals, tokenOf, toTokenRecord } from './tokenRecord.ts'

export const readToken = operation({
  name: 'readToken',
  summary: "An agent's token: price, supply, reserve. A token is no part of hiring, and ranks nothing.",
  caller: 'anyone',
  input: z.object({ token: z.string().max(200).describe('Address, or id or handle of the agent'), chain_id: chainOfQuery }),
  output: tokenRecord,
  run: async ({ token, chain_id }, deps) => toTokenRecord(deps, await tokenOf(deps, token, chain_id)),
})

export const readAgentToken = operation({
  name: 'readAgentToken',
  summary: 'The token of an agent.',
  caller: 'anyone',
  input: z.object({ agent: z.string().max(200), chain_id: z.coerce.number().int().optional() }),
  output: tokenRecord,

  async run({ agent: text, chain_id }, deps) {
    const token = await tokenOfAgent(deps, text, chain_id)
    if (!token) throw new Problem('token-not-found', 'This agent has no token.')
    return toTokenRecord(deps, token)
  },
})

/** @throws Problem agent-not-found */
const tokenOfAgent = async (deps: Deps, text: string, chainId: number | undefined): Promise<LaunchedToken | undefined> => {
  const agent = await findRegistered(deps, text, chainId)
  return tokenTables(deps.store).tokenOfAgent(agent.id)
}

export const listTokens = operation({
  name: 'listTokens',
  summary: 'Tokens of agents, newest first.',
  caller: 'anyone',
  input: z.object({
    chain_id: z.coerce.number().int().optional(),
    agent: z.string().max(200).optional().describe('Id or handle; only its token'),
    limit: z.coerce.number().int().min(1).max(limits.pageRows).default(20),
    offset: z.coerce.number().int().min(0).default(0),
  }),
  output: z.object({ tokens: z.array(tokenRecord), total: z.number() }),

  async run({ chain_id, agent, limit, offset }, deps) {
    if (agent !== undefined) {
      const found = await tokenOfAgent(deps, agent, chain_id)
      return { tokens: found ? [await toTokenRecord(deps, found)] : [], total: found ? 1 : 0 }
    }
    const of = chain_id === undefined ? {} : { chainId: chain_id }
    const [tokens, total] = [
      await tokenTables(deps.store).tokens({ ...of, limit, offset }),
      await tokenTables(deps.store).countTokens(of),
    ]
    return { tokens: await Promise.all(tokens.map(it => toTokenRecord(deps, it))), total }
  },
})

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
