import { limits } from './limits.ts'

/** What one wallet caused in the last 24 hours on one chain, at the treasury's expense. */
export type GasUse = { registrations: number; hires: number }

/** Least price of a paid offering on a public chain, decimal USDC: below it the gas of a hire may cost more than the hire. */
export const leastPublicPrice = '0.01'

/** Gas of one registration and of one paid hire with its fillings, payment and feedback, rounded up from the gas report. */
const gasOf = { registration: 500_000, hire: 900_000 }

/** Gas units that the treasury pays for a wallet's actions of one day. */
export const toGas = ({ registrations, hires }: GasUse): number => registrations * gasOf.registration + hires * gasOf.hire

/** Whether the treasury also pays for one more action of the wallet today. */
export const fitsGasBudget = (used: GasUse, more: keyof typeof gasOf): boolean =>
  toGas(used) + gasOf[more] <= limits.gasOfWalletADay
