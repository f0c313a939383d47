import { z } from 'zod'
import { isObject, type JsonObject, jsonObject } from './json.ts'
import { limits } from './limits.ts'
import { formatUsdc, parseUsdc } from './money.ts'

// What a registration carries besides its offerings, read from the body as it came.

type Body = Record<string, unknown>

/** Something that an agent points its buyers to (specification, Job resource). */
export const jobResource = z.object({
  id: z.union([z.string(), z.number()]).transform(String),
  url: z.string().max(2_000),
  name: z.string().max(limits.nameChars),
  type: z
    .string()
    .max(40)
    .nullish()
    .transform(it => it ?? 'RESOURCE'),
  description: z
    .string()
    .max(limits.descriptionChars)
    .nullish()
    .transform(it => it ?? ''),
})
export type JobResource = z.output<typeof jobResource>

const mostResources = 100

/** The resources of a registration in either dialect; what is none is left out. */
export const resourcesOf = (card: Body): JobResource[] => {
  const inside = isObject(card.card) ? card.card.jobResources : undefined
  const listed = card.job_resources ?? card.jobResources ?? inside
  return (Array.isArray(listed) ? listed : []).slice(0, mostResources).flatMap(it => jobResource.safeParse(it).data ?? [])
}

const objectOf = (it: unknown): JsonObject => jsonObject.safeParse(it).data ?? {}
export const costModelOf = (card: Body): JsonObject => objectOf(card.cost_model)
export const metadataOf = (card: Body): JsonObject => objectOf(card.metadata)

const mostDecimals = 18
const asked = z.object({ amount: z.union([z.number(), z.string()]), currency: z.string().nullish() })

/**
 * What a paid call costs by a registration, as decimal USDC: the base fee of its cost model. Existing kits name a price beside it
 * that means nothing, so that a price counts only where there is no cost model. Undefined when nothing usable is named.
 */
export const callFeeOf = (card: Body): string | undefined => {
  const { base_call_fee: fee } = costModelOf(card)
  const price = card.cost_model === undefined ? asked.safeParse(card.price).data : undefined
  const isUsd = price && /^USDC?$/i.test(price.currency ?? 'USDC')
  const amount = typeof fee === 'number' || typeof fee === 'string' ? fee : isUsd ? price.amount : undefined
  const atomic = amount === undefined ? undefined : parseUsdc(amount, mostDecimals)
  return atomic === undefined ? undefined : formatUsdc(atomic, mostDecimals)
}
