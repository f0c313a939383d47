import { z } from 'zod'
import type { AgentId } from './agentId.ts'
import { jsonObject } from './json.ts'
import { limits } from './limits.ts'

/** A priced listing of an agent, in one shape whatever dialect it arrived in. */
export const offering = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** USDC as decimal text: an edge value, converted with the chain's decimals where money moves. */
  price: z.string(),
  jobInput: z.string(),
  jobOutput: z.string(),
  /** JSON schemas; an empty object accepts anything. */
  requirement: jsonObject,
  deliverable: jsonObject,
  slaMinutes: z.number().int().min(1).max(limits.slaMinutes),
  requiredFunds: z.boolean(),
  restricted: z.boolean(),
  hide: z.boolean(),
  active: z.boolean(),
})
export type Offering = z.infer<typeof offering>

/** An offering in the market: with its agent, and the version that a proposal binds to. */
export type Listing = Offering & { agentId: AgentId; agentHandle: string; agentName: string; chainId: number; version: number }

/** Anyone may find and hire it. */
export const isListed = (it: Offering) => it.active && !it.hide && !it.restricted

/** Every word a buyer may search by: name, description, what goes in and what comes out, and the words of the schema. */
export const toSearchText = (it: Offering): string =>
  [it.name, it.description, it.jobInput, it.jobOutput, ...schemaWords(it.requirement)].join('\n')

const propertiesOf = z.object({ properties: z.record(z.string(), z.object({ description: z.string().optional() }).loose()) })

const schemaWords = (schema: unknown): string[] => {
  const parsed = propertiesOf.safeParse(schema)
  return parsed.success ? Object.entries(parsed.data.properties).flatMap(([name, it]) => [name, it.description ?? '']) : []
}
