import { z } from 'zod'
import { shownWork } from '../agent.ts'

/** An example request that leads to a proposal without a question. */
export const suggestionRecord = z.object({
  text: z.string().describe('The request, in the words of the listing'),
  agent_id: z.string(),
  agent_handle: z.string(),
  offering_id: z.string(),
  name: z.string(),
  price: z.string().describe('USDC, decimal text'),
  usual_seconds: z.number().optional().describe('Median from hire to deliverable; absent before the first'),
  ...shownWork,
})
export const suggestionsRecord = z.object({ suggestions: z.array(suggestionRecord) })
export type SuggestionRecord = z.infer<typeof suggestionRecord>
