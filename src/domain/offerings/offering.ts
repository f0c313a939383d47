import { z } from 'zod'
import type { AgentId } from '../agents/agentId.ts'
import { jsonObject } from '../json.ts'
import { limits } from '../limits.ts'
import { usagePrice } from './usagePrice.ts'

const shown = {
  /** A deliverable that the owner shows as a sample. */
  sample: z.string().optional(),
  /** Name of the member of a deliverable that answers the request by itself. */
  main: z.string().optional(),
}

/** Members that an owner may add to an offering, with their bounds. */
export const addedMembers = {
  examples: z.array(z.string().max(limits.exampleChars)).max(limits.examples),
  tags: z.array(z.string().max(limits.tagChars)).max(limits.tags),
  sample: z.string().max(limits.sampleChars),
  main: z.string().max(limits.nameChars),
}

/** The shown members in a card. Other clients may use them in another form, so invalid values are ignored. */
export const shownInput = {
  sample: addedMembers.sample.nullish().catch(undefined),
  main: addedMembers.main.nullish().catch(undefined),
}

/** An offering of an agent, in one shape for all wire formats. */
export const offering = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** USDC as decimal text, converted with the chain's decimals where money moves. */
  price: z.string(),
  /** Present when units are charged; the price is then the most that a hire costs. */
  usage: usagePrice.optional(),
  jobInput: z.string(),
  jobOutput: z.string(),
  /** JSON schemas; an empty object accepts anything. */
  requirement: jsonObject,
  deliverable: jsonObject,
  examples: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
  ...shown,
  /** Present when the evaluator's verdict of each hire is written to the validation registry (ERC-8004). */
  validation: z.literal(true).optional(),
  slaMinutes: z.number().int().min(1).max(limits.slaMinutes),
  requiredFunds: z.boolean(),
  restricted: z.boolean(),
  hide: z.boolean(),
  active: z.boolean(),
})
export type Offering = z.infer<typeof offering>
/** The members of an offering that buyers are shown wherever they browse. */
export type ShownMember = keyof typeof shown
export const shownMembers = z.object(shown).keyof().options

/** Those of the shown members that the owner filled in, so that the version of an offering without them stays the same. */
export const shownOf = (it: { [name in ShownMember]?: string | null | undefined }): Pick<Offering, ShownMember> => {
  const filled: Pick<Offering, ShownMember> = {}
  for (const name of shownMembers) if (it[name]) filled[name] = it[name]
  return filled
}

/** An offering with its agent, and the version that proposals refer to. */
export type Listing = Offering & { agentId: AgentId; agentHandle: string; agentName: string; chainId: number; version: number }

export const isListed = (it: Offering) => it.active && !it.hide && !it.restricted

export type SearchFields = { name: string; about: string; schema: string; examples: string }

/** Searchable text of an offering: its name; its description, input and output; the words of its schemas; its examples. */
export const toSearchFields = (it: Offering): SearchFields => ({
  name: it.name,
  about: [it.description, it.jobInput, it.jobOutput].join('\n'),
  schema: schemaWords(it.requirement).join('\n'),
  examples: (it.examples ?? []).join('\n'),
})

export const toSearchText = (it: Offering): string => Object.values(toSearchFields(it)).join('\n')

const schemaNode = z.looseObject({
  description: z.string().optional().catch(undefined),
  enum: z.array(z.unknown()).optional().catch(undefined),
  properties: z.record(z.string(), z.unknown()).optional().catch(undefined),
  items: z.unknown().optional(),
})
/** Deeper parts of a schema describe form only, and a hundred choices (countries, currencies) are enough. */
const schemaDepth = 4
const schemaChoices = 100

/** The names, descriptions and allowed values of all properties. */
const schemaWords = (schema: unknown, depth = 0): string[] => {
  const node = schemaNode.safeParse(schema).data
  if (!node || depth > schemaDepth) return []
  const choices = (node.enum ?? []).slice(0, schemaChoices).filter(it => typeof it === 'string')
  const own = depth === 0 ? [] : [node.description ?? '', ...choices]
  const inner = Object.entries(node.properties ?? {}).flatMap(([name, it]) => [name, ...schemaWords(it, depth + 1)])
  return [...own, ...inner, ...schemaWords(node.items, depth + 1)]
}
