import { z } from 'zod'

/** The price of an offering as clients read it. */
export const priceRecord = z.object({
  type: z.enum(['fixed', 'usage']),
  amount: z.number().describe('USDC; of a usage price the most that a hire costs, the same as `up_to`'),
  currency: z.literal('USDC'),
  up_to: z.number().optional().describe('USDC; present, as the members below, in a usage price'),
  unit: z.string().optional(),
  per_unit: z.string().optional().describe('USDC for one unit, decimal text'),
  counting: z.string().optional().describe('How the units are known: counted by code, or stated by the agent'),
})
