/**
 * The most gas each transaction may use: measured on the embedded chain with cold storage, times 1.3. Estimates are not
 * used: another transaction between estimate and block changes what is cold, and the call runs out.
 */
export const gasCeilings = {
  hire: 260_000n,
  submit: 45_000n,
  complete: 125_000n,
  reject: 95_000n,
  claimRefund: 95_000n,
  /** Plus `registerAgentByte` for each byte of the URI, which is stored. */
  registerAgent: 250_000n,
  registerAgentByte: 900n,
  mint: 95_000n,
  transfer: 21_000n,
}

export type GasCeilings = Record<keyof typeof gasCeilings, bigint>
