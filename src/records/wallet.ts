import { z } from 'zod'

export const walletRecord = z.object({
  ethereum: z.string(),
  balances: z.array(
    z.object({
      chain_id: z.number(),
      usdc: z.string(),
      usdc_address: z.string(),
      escrow_address: z.string(),
      others: z
        .array(z.object({ symbol: z.string(), amount: z.string(), token: z.string() }))
        .describe('Tokens that pay nothing here; withdraw by `asset`'),
    }),
  ),
})

/** USDC as decimal text. */
export const balanceRecord = z.object({ chain_id: z.number(), address: z.string(), usdc: z.string(), total_supply: z.string() })
export type WalletRecord = z.infer<typeof walletRecord>
