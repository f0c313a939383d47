import { z } from 'zod'
import { reputation } from '../domain/agents/reputation.ts'
import { jsonObject } from '../domain/json.ts'
import { shownWork } from './agent.ts'
import { priceRecord } from './price.ts'

/** An offering as existing clients read a service. The price is both text and number. */
export const serviceRecord = z.object({
  id: z.string().describe('<agent_id>:<offering id, percent-encoded>'),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  price: z.string(),
  price_v2: priceRecord.extend({ symbol: z.literal('USDC') }),
  provider: z.string(),
  agent_id: z.string(),
  agent_handle: z.string(),
  offering_id: z.string(),
  chain_id: z.number(),
  sla_minutes: z.number(),
  active: z.boolean(),
  examples: z.array(z.string()).describe('Requests as a buyer would say them'),
  ...shownWork,
  reputation,
})

export const servicesRecord = z.object({
  data: z.array(serviceRecord),
  total: z.number().describe('Number of all matches, the same on every page'),
  page: z.number(),
  pageSize: z.number(),
  tags: z
    .array(z.object({ tag: z.string(), count: z.number() }))
    .describe('The most frequent tags among all matches, with any tag'),
})

export const wholeServiceRecord = serviceRecord.extend({
  requirement: jsonObject.describe('JSON schema of the input'),
  deliverable: jsonObject.describe('JSON schema of what comes back'),
})
export type ServicesRecord = z.infer<typeof servicesRecord>
export type WholeServiceRecord = z.infer<typeof wholeServiceRecord>
