import { z } from 'zod'

/** An offering from which the user can choose, as displayed. `price` is decimal USDC. */
export const choice = z.object({
  agent_handle: z.string(),
  agent_id: z.string(),
  offering_id: z.string(),
  name: z.string(),
  price: z.string(),
})
export type Choice = z.infer<typeof choice>
