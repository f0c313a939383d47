import { z } from 'zod'
import { isObject, type JsonObject, jsonObject } from '../json.ts'
import { limits } from '../limits.ts'
import { formatUsdc, maxDecimals, parseUsdc } from '../money/money.ts'

// Members of a registration besides its offerings, read from the original body.

type Body = Record<string, unknown>

/** A resource that an agent offers its buyers (specification, Job resource). */
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

const maxResources = 100

/** The resources of a registration in either format. Malformed ones are left out. */
export const resourcesOf = (card: Body): JobResource[] => {
  const inside = isObject(card.card) ? card.card.jobResources : undefined
  const listed = card.job_resources ?? card.jobResources ?? inside
  return (Array.isArray(listed) ? listed : []).slice(0, maxResources).flatMap(it => jobResource.safeParse(it).data ?? [])
}

const objectOf = (it: unknown): JsonObject => jsonObject.safeParse(it).data ?? {}
/** The cost model of an agent card; empty when it is missing or no object. */
export const costModelOf = (card: Body): JsonObject => objectOf(card.cost_model)
/** The metadata of an agent card; empty when it is missing or no object. */
export const metadataOf = (card: Body): JsonObject => objectOf(card.metadata)

const asked = z.object({ amount: z.union([z.number(), z.string()]), currency: z.string().nullish() })

/**
 * The fee of a paid call in decimal USDC: the base fee of the cost model. Existing kits send a meaningless price beside it, so
 * a price counts only without a cost model. Undefined when there is no valid fee.
 */
export const callFeeOf = (card: Body): string | undefined => {
  const { base_call_fee: fee } = costModelOf(card)
  const price = card.cost_model === undefined ? asked.safeParse(card.price).data : undefined
  const isUsd = price && /^USDC?$/i.test(price.currency ?? 'USDC')
  const amount = typeof fee === 'number' || typeof fee === 'string' ? fee : isUsd ? price.amount : undefined
  const atomic = amount === undefined ? undefined : parseUsdc(amount, maxDecimals)
  return atomic === undefined ? undefined : formatUsdc(atomic, maxDecimals)
}
