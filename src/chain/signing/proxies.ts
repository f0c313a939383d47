import { lower } from '../rpc/checksum.ts'

// The contracts of x402 that payers name in a signature for Permit2. Each has the same address on every chain (@x402/evm).

/** The proxy for the scheme `exact`. */
export const permitProxy = lower('0x402085c248EeA27D92E8b30b2C58ed07f9E20001')

/** The proxy for the scheme `upto`. It takes calls only of the facilitator that the payer named. */
export const uptoProxy = lower('0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002')
