import type { Address } from '../hex.ts'

/** Text of an escrow payout. @param parts of a usage price what was used and what came back. Amounts are decimal USDC. */
export const toPaidOutText = (amount: string, payee: Address, parts?: { used: string; returned: string }): string =>
  `${amount} USDC arrived in the agent wallet ${payee}.` +
  (parts ? ` ${parts.used} USDC were used, and ${parts.returned} USDC are back in your wallet.` : '')

/** Text of the settled payment of a paid call. Amounts are decimal USDC. @param most of a price by use, what was signed */
export const toSettledText = (amount: string, payee: Address, most?: string): string =>
  `${amount}${most ? ` of at most ${most}` : ''} USDC are in the agent wallet ${payee}.`

/** Text of the payment of a purchase. Amounts are decimal USDC. @param most in the scheme `upto` what was signed */
export const toBoughtText = (amount: string, { payTo, url }: { payTo: Address; url: string }, most?: string): string =>
  `${amount}${most ? ` of at most ${most}` : ''} USDC went to ${payTo} for ${url}.`

/** Text of a call at a price by use, of which nothing was used. */
export const nothingUsed = 'Nothing was used, so nothing was charged.'

/** Reason of a paid call whose payment the token refused. */
export const settlementRefused =
  'The token refused the payment when it was settled: ' +
  'the payer moved the money, took the authorization back, or used its nonce for another transfer.'

/** Reason of a paid call that counted as settled, and whose transfer the chain does not have. */
export const paymentMissing =
  'The payment is not on chain: the payer moved the money, took the authorization back, or used its nonce for another transfer.'

type Taken = { amount: string; payee: string; transaction: string | null }

/**
 * Text of a failed paid call whose nonce somebody else used. `transaction` made the transfer; null where the chain does not
 * show it.
 * @param amount decimal USDC
 */
export const toTakenText = ({ amount, payee, transaction }: Taken): string =>
  transaction
    ? `Somebody else sent the signed payment: ${amount} USDC are in the agent wallet ${payee}, ` +
      'and the service cannot return them.'
    : 'This service charged nothing, but the nonce of the signed payment is used: ' +
      `the payer withdrew it, or somebody else sent ${amount} USDC to the agent wallet ${payee}. ` +
      'The transfers of the paying wallet show which.'

export const appealText = 'Your appeal is recorded. It counts against the agent in its reputation; the payment stands.'
