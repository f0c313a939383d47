/**
 * Gas limit of each transaction: measured on the embedded chain with cold storage, times 1.3. Estimates are not used, because a
 * transaction mined between estimate and execution can turn warm storage cold, and the call would run out of gas.
 */
export const gasCeilings = {
  /** Includes the first hire with an evaluator, which the escrow then stores. */
  hire: 280_000n,
  /** The two transactions of a hire on a token without signed authorizations. */
  approve: 60_000n,
  createAndFund: 245_000n,
  submit: 45_000n,
  complete: 125_000n,
  /** Includes a client without USDC, whose balance is then stored anew. */
  completeUsed: 175_000n,
  reject: 95_000n,
  claimRefund: 95_000n,
  /** Add `registerAgentByte` for each byte of the URI, because the URI is stored. */
  registerAgent: 250_000n,
  registerAgentByte: 900n,
  mint: 95_000n,
  /** Includes the first feedback of a client for an agent, which also creates its list. */
  feedback: 280_000n,
  /** Each includes the first entry of an agent's or a validator's list. */
  validationRequest: 270_000n,
  validationResponse: 120_000n,
  transfer: 21_000n,
  /** Settlement of a call paid by x402. Includes a first payment to a wallet without USDC. */
  authorizedTransfer: 110_000n,
  /** The same through Permit2 and the proxy of x402. */
  permittedTransfer: 140_000n,
  /** The same in the scheme `upto`. */
  uptoTransfer: 145_000n,
  /** Includes a transfer to a wallet without USDC, which costs more. */
  withdraw: 70_000n,
  tokenLaunch: 290_000n,
  /** Each trade includes a first balance of its trader; a purchase also one of the launchpad. */
  tokenBuy: 190_000n,
  tokenSell: 140_000n,
  tokenFees: 150_000n,
}

export type GasCeilings = Record<keyof typeof gasCeilings, bigint>

/** Public chains get 1.5 times the gas, because their USDC is a proxy and checks block lists. Unused gas is not charged. */
const forPublic = (gas: bigint) => (gas * 3n) / 2n
export const publicGasCeilings: GasCeilings = {
  hire: forPublic(gasCeilings.hire),
  approve: forPublic(gasCeilings.approve),
  createAndFund: forPublic(gasCeilings.createAndFund),
  submit: forPublic(gasCeilings.submit),
  complete: forPublic(gasCeilings.complete),
  completeUsed: forPublic(gasCeilings.completeUsed),
  reject: forPublic(gasCeilings.reject),
  claimRefund: forPublic(gasCeilings.claimRefund),
  registerAgent: forPublic(gasCeilings.registerAgent),
  registerAgentByte: forPublic(gasCeilings.registerAgentByte),
  mint: forPublic(gasCeilings.mint),
  feedback: forPublic(gasCeilings.feedback),
  validationRequest: forPublic(gasCeilings.validationRequest),
  validationResponse: forPublic(gasCeilings.validationResponse),
  /** A plain transfer costs the same everywhere. */
  transfer: gasCeilings.transfer,
  authorizedTransfer: forPublic(gasCeilings.authorizedTransfer),
  permittedTransfer: forPublic(gasCeilings.permittedTransfer),
  uptoTransfer: forPublic(gasCeilings.uptoTransfer),
  withdraw: forPublic(gasCeilings.withdraw),
  tokenLaunch: forPublic(gasCeilings.tokenLaunch),
  tokenBuy: forPublic(gasCeilings.tokenBuy),
  tokenSell: forPublic(gasCeilings.tokenSell),
  tokenFees: forPublic(gasCeilings.tokenFees),
}
