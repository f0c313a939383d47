import type { Address, Hex } from '../domain/hex.ts'

/** The nonce of a signed payment. With chain, token and payer it is unique. */
export type PaidNonce = { chainId: number; asset: Address; payer: Address; nonce: Hex }

/** What other parts read about sales by this market. Absent in a service that sells nothing by x402. */
export type SaleReads = {
  /** The sale that a payment belongs to, with the run of its posting. */
  paidCallOfNonce(of: PaidNonce): Promise<{ runId: string } | undefined>
}
