import { limits } from './limits.ts'

/** What one wallet caused in the last 24 hours on one chain, at the treasury's expense. */
export type GasUse = { registrations: number; hires: number; withdrawals: number; calls: number }

/** Least price of a paid offering on a public chain, decimal USDC: below it the gas of a hire may cost more than the hire. */
export const leastPublicPrice = '0.01'

/** Gas of each action with the fillings of its wallet, of a hire with payment and feedback, rounded up from the gas report. */
const gasOf = { registration: 500_000, hire: 900_000, withdrawal: 130_000, call: 110_000 }

/** Gas units that the treasury pays for a wallet's actions of one day. */
export const toGas = ({ registrations, hires, withdrawals, calls }: GasUse): number =>
  registrations * gasOf.registration + hires * gasOf.hire + withdrawals * gasOf.withdrawal + calls * gasOf.call

/** Whether the treasury also pays for one more action of the wallet today. */
export const fitsGasBudget = (used: GasUse, more: keyof typeof gasOf): boolean =>
  toGas(used) + gasOf[more] <= limits.gasOfWalletADay
