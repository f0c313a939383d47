/**
 * The most gas each transaction may use: measured on the embedded chain with cold storage, times 1.3. Estimates are not
 * used: another transaction between estimate and block changes what is cold, and the call runs out.
 */
export const gasCeilings = {
  hire: 260_000n,
  /** The two steps of a hire on a token without signed authorizations. */
  approve: 60_000n,
  createAndFund: 245_000n,
  submit: 45_000n,
  complete: 125_000n,
  reject: 95_000n,
  claimRefund: 95_000n,
  /** Plus `registerAgentByte` for each byte of the URI, which is stored. */
  registerAgent: 250_000n,
  registerAgentByte: 900n,
  mint: 95_000n,
  /** The first feedback of a client for an agent also opens its list. */
  feedback: 280_000n,
  transfer: 21_000n,
  /** USDC to a wallet that may hold none yet. */
  withdraw: 70_000n,
}

export type GasCeilings = Record<keyof typeof gasCeilings, bigint>

/**
 * Ceilings on public chains, half as much again: their USDC stands behind a proxy and looks at block lists. Gas that is not
 * used is not paid for.
 */
const forPublic = (gas: bigint) => (gas * 3n) / 2n
export const publicGasCeilings: GasCeilings = {
  hire: forPublic(gasCeilings.hire),
  approve: forPublic(gasCeilings.approve),
  createAndFund: forPublic(gasCeilings.createAndFund),
  submit: forPublic(gasCeilings.submit),
  complete: forPublic(gasCeilings.complete),
  reject: forPublic(gasCeilings.reject),
  claimRefund: forPublic(gasCeilings.claimRefund),
  registerAgent: forPublic(gasCeilings.registerAgent),
  registerAgentByte: forPublic(gasCeilings.registerAgentByte),
  mint: forPublic(gasCeilings.mint),
  feedback: forPublic(gasCeilings.feedback),
  /** A plain transfer costs the same everywhere. */
  transfer: gasCeilings.transfer,
  withdraw: forPublic(gasCeilings.withdraw),
}
