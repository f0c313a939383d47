import { minPublicPrice } from '../../domain/money/gasBudget.ts'
import { parseUsdc } from '../../domain/money/money.ts'
import type { Offering } from '../../domain/offerings/offering.ts'
import { Problem } from '../../domain/problem.ts'
import type { Chain } from '../../ports.ts'
import { isPublic } from '../gasBudget.ts'

/**
 * Checks that the chain's USDC can represent each price exactly, and that it is not too low for the gas of a hire.
 * @throws Problem invalid-price
 */
export const checkPrices = (offerings: Offering[], chain: Pick<Chain, 'usdcDecimals' | 'explorer' | 'completeUsed'>) => {
  for (const [index, it] of offerings.entries()) {
    const price = parseUsdc(it.price, chain.usdcDecimals)
    if (price === undefined) throw refusal(`USDC has ${chain.usdcDecimals} decimals on this chain.`, index)
    if (it.usage && !chain.completeUsed) throw refusal(unusedStays, index)
    if (isPublic(chain) && price > 0n && price < (parseUsdc(minPublicPrice, chain.usdcDecimals) ?? 0n))
      throw refusal(`On this chain an offering costs at least ${minPublicPrice} USDC, or nothing.`, index)
  }
}

const unusedStays =
  'The escrow of this chain is of an earlier release and cannot return an unused part, so prices are fixed there.'

const refusal = (detail: string, index: number) => new Problem('invalid-price', detail, `/job_offerings/${index}`)
