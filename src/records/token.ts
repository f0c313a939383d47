import { z } from 'zod'

/** A token as anybody reads it. Amounts are exact decimal text; prices are rounded down to an atomic unit of the reserve. */
export const tokenRecord = z.object({
  token: z.string(),
  chain_id: z.number(),
  agent_id: z.string(),
  name: z.string(),
  symbol: z.string(),
  decimals: z.number(),
  creator: z.string().describe("The agent's owner at the launch"),
  reserve_asset: z.string(),
  reserve_decimals: z.number(),
  price: z.string().describe('Of a whole token now, before fees'),
  supply: z.string(),
  circulating: z.string().describe('Tokens outside the curve'),
  reserve: z.string().describe('What the curve holds to buy tokens back'),
  market_value: z.string().describe('Price times supply: a calculated figure that nobody may be able to get'),
  fee_bps: z.number(),
  traders: z.number().describe('Wallets that bought or sold'),
  launched_at: z.string(),
  tx_hash: z.string(),
})

export const tradeFields = {
  digest: z.string(),
  token: z.string(),
  symbol: z.string(),
  chain_id: z.number(),
  wallet: z.string(),
  side: z.enum(['buy', 'sell']),
  asset: z.string(),
  amount_in: z.string().describe('Paid: the asset for a purchase, tokens for a sale'),
  least_out: z.string().describe('The contract refuses the trade below this'),
  fee: z.string().describe('In the asset, contained in the amounts'),
  deadline: z.string(),
}

/** A quote as its user reads it. All amounts are exact decimal text. */
export const quoteRecord = z.object({
  ...tradeFields,
  expected_out: z.string(),
  price: z.string().describe('Of a whole token before the trade'),
  text: z.string().describe('The terms in one sentence, to show before the yes'),
})

export const tradeRecord = z.object({
  ...tradeFields,
  trade_id: z.string(),
  status: z.enum(['pending', 'done', 'failed']),
  reason: z.string(),
  received: z.string().nullable().describe('Tokens for a purchase, the asset for a sale; once it is mined'),
  tx_hash: z.string().nullable(),
})

export const candlesRecord = z.object({
  span: z.string(),
  currency: z.string(),
  candles: z.array(
    z.object({
      start: z.string(),
      open: z.string(),
      high: z.string(),
      low: z.string(),
      close: z.string(),
      volume: z.string(),
      trades: z.number(),
    }),
  ),
})

export const holdingsRecord = z.object({
  wallet: z.string(),
  coin: z.object({ symbol: z.string(), balance: z.string() }),
  wrapped_coin: z.object({ symbol: z.string(), balance: z.string() }),
  holdings: z.array(
    z.object({
      token: z.string(),
      symbol: z.string(),
      agent_id: z.string(),
      balance: z.string(),
      sells_for: z.string().describe('After the fee'),
      asset: z.string(),
    }),
  ),
})
export type HoldingsRecord = z.infer<typeof holdingsRecord>
export type TokenRecord = z.infer<typeof tokenRecord>
export type QuoteRecord = z.infer<typeof quoteRecord>
export type TradeRecord = z.infer<typeof tradeRecord>
export type CandlesRecord = z.infer<typeof candlesRecord>
export type CandleRecord = CandlesRecord['candles'][number]
