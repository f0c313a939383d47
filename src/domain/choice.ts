import { z } from 'zod'

/** An offering that the user can pick, as it is shown. `price` is decimal USDC. */
export const choice = z.object({
  agent_handle: z.string(),
  agent_id: z.string(),
  offering_id: z.string(),
  name: z.string(),
  price: z.string(),
})
export type Choice = z.infer<typeof choice>
