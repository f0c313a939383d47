import { limits } from '../limits.ts'

/** Actions of one wallet on one chain in the last 24 hours whose gas the treasury paid. */
export type GasUse = {
  registrations: number
  hires: number
  withdrawals: number
  calls: number
  launches: number
  trades: number
  /** Approvals of Permit2 for purchases by x402. */
  approvals: number
}

/** Minimum price of a paid offering on a public chain, in decimal USDC. Below it the gas of a hire may exceed its price. */
export const minPublicPrice = '0.01'

/**
 * Gas per action, rounded up from the gas report. Each includes the top-ups of its wallet; a hire includes its payment and
 * feedback.
 */
const gasOf = {
  registration: 500_000,
  hire: 900_000,
  withdrawal: 130_000,
  call: 110_000,
  launch: 250_000,
  trade: 230_000,
  approval: 110_000,
}

/** The gas that the treasury pays for a wallet's actions of one day. */
export const toGas = ({ registrations, hires, withdrawals, calls, launches, trades, approvals }: GasUse): number =>
  launches * gasOf.launch +
  trades * gasOf.trade +
  registrations * gasOf.registration +
  hires * gasOf.hire +
  withdrawals * gasOf.withdrawal +
  calls * gasOf.call +
  approvals * gasOf.approval

export const fitsGasBudget = (used: GasUse, more: keyof typeof gasOf): boolean =>
  toGas(used) + gasOf[more] <= limits.gasOfWalletADay
