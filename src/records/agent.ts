import { z } from 'zod'
import { reputation } from '../domain/agents/reputation.ts'
import { jsonObject } from '../domain/json.ts'
import type { ShownMember } from '../domain/offerings/offering.ts'
import { certificateRecord } from './certificate.ts'
import { outsideHit } from './outside.ts'
import { priceRecord } from './price.ts'

/** What buyers are shown of an offering wherever they browse. */
export const shownWork = {
  sample: z.string().describe('A deliverable that its owner shows as an example; empty when there is none'),
  main: z.string().describe('The member of a deliverable that answers the request by itself; empty when none does'),
} satisfies Record<ShownMember, z.ZodString>

export const offeringRecord = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  type: z.literal('JOB'),
  price: z.number().describe('Same as `price_v2.amount`'),
  price_v2: priceRecord,
  job_input: z.string(),
  job_output: z.string(),
  requirement: jsonObject,
  deliverable: jsonObject,
  examples: z.array(z.string()).describe("Example requests in a buyer's words"),
  tags: z.array(z.string()).describe('What kind of work it is'),
  ...shownWork,
  certificate: certificateRecord.optional().describe('Present while a certificate of this version is valid'),
  validation: z.boolean().describe('Whether the verdict of each hire is written to the ERC-8004 validation registry'),
  sla_minutes: z.number(),
  required_funds: z.boolean(),
  restricted: z.boolean(),
  hide: z.boolean(),
  active: z.boolean(),
})

export const resourceRecord = z.object({
  id: z.string(),
  url: z.string(),
  name: z.string(),
  type: z.string(),
  description: z.string(),
})

/** An agent in lookups and lists. Existing clients fail on null in most of these members. */
export const agentRecord = z.object({
  agent_id: z.string(),
  handle: z.string(),
  name: z.string(),
  display_name: z.string(),
  description: z.string(),
  chain_id: z.number(),
  owner_id: z.string(),
  wallet_address: z.string(),
  endpoint_url: z.string(),
  card: z.object({ name: z.string(), description: z.string(), url: z.string(), skills: z.array(jsonObject) }),
  price: z
    .object({ amount: z.number(), currency: z.literal('USDC'), symbol: z.literal('USDC') })
    .describe('Price of the cheapest offering, or of a paid call when there are no offerings'),
  skills: z.array(jsonObject),
  job_offerings: z.array(offeringRecord),
  job_resources: z.array(resourceRecord).optional().describe('Only when one agent is read'),
  cost_model: jsonObject
    .optional()
    .describe(
      'As registered, only when one agent is read; base_call_fee is the price of a paid call until the owner sets another',
    ),
  metadata: z
    .object({ via_gateway: z.boolean(), job_offerings: z.array(offeringRecord) })
    .catchall(z.json())
    .describe('Includes the registered metadata when one agent is read'),
  version: z.number().describe('Increases with each change by its owner; in quotes it is the ETag'),
  created_at: z.string(),
  stats: z.object({
    total_jobs: z.number(),
    completed_jobs: z.number(),
    total_revenue: z.number().describe('USDC'),
    success_rate: z.number().describe('Percentage of ended jobs that were paid'),
  }),
  verified: z
    .boolean()
    .describe('False when the agent was registered by bare signature and its owner has not confirmed it by token or fresh proof'),
  health_status: z
    .enum(['healthy', 'unhealthy', 'unknown'])
    .optional()
    .describe('Whether the agent polled or sent heartbeats since this process started'),
  last_seen: z.string().optional().describe('ISO 8601; empty when it was never seen'),
  second_poller_at: z
    .string()
    .optional()
    .describe(
      'For the owner: last time that two processes polled for the agent without a credential. Use its secret or strict mode.',
    ),
  last_push: z
    .object({ at: z.string(), error: z.string() })
    .optional()
    .describe('For the owner: the last call of its endpoint since this process started; error is empty when it succeeded'),
  reputation,
})

export type AgentRecord = z.infer<typeof agentRecord>

export const registrationRecord = z.object({
  agent_id: z.string(),
  handle: z.string(),
  chain_id: z.number(),
  wallet_address: z.string(),
  onchain_registration: z.object({
    agent_wallet: z.string(),
    tx_hash: z.string(),
    status: z.string().describe('confirmed: the identity is registered on chain'),
  }),
  unchanged: z
    .boolean()
    .describe('True when nothing was updated, because a bare signature can register an agent but not update one'),
  warnings: z
    .array(z.string())
    .describe(
      'Parts of the registration that have no effect, or probably not the intended one, and names close to those of others',
    ),
})

/** The facts about an offering that a buyer needs before hiring. */
export const offeringHit = z.object({
  agent_id: z.string(),
  agent_handle: z.string(),
  agent_name: z.string(),
  offering_id: z.string(),
  name: z.string(),
  description: z.string(),
  price: z.string().describe('USDC, decimal text'),
  charged: z.string().optional(),
  sla_minutes: z.number(),
  tags: z.array(z.string()),
  ...shownWork,
  needs: z.array(z.object({ field: z.string(), type: z.string(), description: z.string(), required: z.boolean() })),
  certified_until: z.string().optional().describe('Present while a certificate of the offering is valid'),
  coverage: z.number().describe("Share (0–1) of the query's words, without stop words, that the offering contains"),
  reputation,
})

export const hitExplanation = z.object({
  score: z.number().describe('Share (0–1) of the best possible score; comparable between queries'),
  terms: z.array(z.object({ term: z.string(), name: z.number(), about: z.number(), schema: z.number(), examples: z.number() })),
  ngrams: z.number().describe('Share of the score from n-grams of words'),
  learned: z.number().describe('Share of the score that was learned from completed requests'),
})

export const offeringHits = z.object({
  offerings: z.array(offeringHit.extend({ explanation: hitExplanation.optional() })),
  outside: z.array(outsideHit).optional().describe('Resources of other services; present where catalogues are read'),
})
export type OfferingRecord = z.infer<typeof offeringRecord>
export type OfferingHit = z.infer<typeof offeringHit>
