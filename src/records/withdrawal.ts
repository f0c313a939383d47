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

/** A withdrawal as its owner reads it: amount as decimal text, time in ISO 8601. */
export const withdrawalRecord = z.object({
  withdrawal_id: z.string(),
  chain_id: z.number(),
  from: z.string().describe('The custodial wallet'),
  to: z.string().describe('Your own wallet, or an outside address of yours'),
  amount: z.string(),
  asset: z.string().describe('Symbol of USDC, coin or wrapped coin, or the address of a token'),
  status: z.enum(['pending', 'done', 'failed']),
  tx_hash: z.string().nullable(),
  created_at: z.string(),
})
export type WithdrawalRecord = z.infer<typeof withdrawalRecord>

/** An outside address to which an account withdraws. Times in ISO 8601. */
export const withdrawalAddressRecord = z.object({
  address_id: z.string(),
  chain_id: z.number(),
  address: z.string(),
  name: z.string(),
  since: z.string(),
  usable_at: z.string().describe('Nothing is sent there before'),
})
export type WithdrawalAddressRecord = z.infer<typeof withdrawalAddressRecord>
