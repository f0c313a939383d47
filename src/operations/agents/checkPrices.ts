import { parseUsdc } from '../../domain/money.ts'
import type { Offering } from '../../domain/offering.ts'
import { Problem } from '../../domain/problem.ts'

/** @throws Problem invalid-price for a price that the chain's USDC cannot pay exactly */
export const checkPrices = (offerings: Offering[], decimals: number) => {
  for (const [index, it] of offerings.entries())
    if (parseUsdc(it.price, decimals) === undefined)
      throw new Problem('invalid-price', `USDC has ${decimals} decimals on this chain.`, `/job_offerings/${index}`)
}
