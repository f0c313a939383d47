import { z } from 'zod'
import { chainId } from '../chains/chains.ts'
import { isShallow, isWithinBytes, type JsonObject, jsonObject } from '../json.ts'
import { limits } from '../limits.ts'
import { billion, formatUsdc, maxDecimals, oneUsdc, parseUsdc } from '../money/money.ts'
import { Problem } from '../problem.ts'
import { checkSchema } from '../schemas/schema.ts'
import { withoutReferences } from '../schemas/schemaReferences.ts'
import { isVisible } from '../text/quotableText.ts'
import { addedMembers, type Offering, shownInput, shownOf } from './offering.ts'
import { callFeeOf } from './resources.ts'
import { toUnit, type UsagePrice, unitRefusal } from './usagePrice.ts'

// Clients send two formats: snake_case at the top level, as specified, and camelCase inside an ERC-8004 card.

const text = z.string().nullish()
const flag = z.boolean().nullish()
const amount = z.union([z.number(), z.string()])
const charged = {
  up_to: amount.nullish(),
  upTo: amount.nullish(),
  unit: text,
  per_unit: amount.nullish(),
  perUnit: amount.nullish(),
}
const priceObject = z
  .object({ type: text, amount: amount.nullish(), ...charged, currency: text, symbol: text })
  .loose()
  .refine(it => it.type === 'usage' || (it.amount ?? undefined) !== undefined, { path: ['amount'], message: 'is missing' })

const wireOffering = z
  .object({
    id: z.union([z.string(), z.number()]).transform(String),
    name: z.string().max(limits.nameChars),
    description: z.string().max(limits.descriptionChars).nullish(),
    type: text,
    price: z.number().nullish(),
    price_v2: priceObject.nullish(),
    priceV2: priceObject.nullish(),
    job_input: text,
    jobInput: text,
    job_output: text,
    jobOutput: text,
    requirement: jsonObject.nullish(),
    deliverable: jsonObject.nullish(),
    examples: addedMembers.examples.nullish(),
    // As with the shown members, an invalid value is ignored.
    tags: addedMembers.tags.nullish().catch(undefined),
    ...shownInput,
    validation: flag.catch(undefined),
    sla_minutes: z.number().nullish(),
    slaMinutes: z.number().nullish(),
    required_funds: flag,
    requiredFunds: flag,
    restricted: flag,
    hide: flag,
    active: flag,
  })
  .loose()
type WireOffering = z.infer<typeof wireOffering>

/** Members of an offering that are read. Existing clients send a few more, which are kept. */
export const offeringMembers: ReadonlySet<string> = new Set([
  ...Object.keys(wireOffering.shape),
  ...['isManagedFund', 'is_managed_fund', 'examples'],
])

const offerings = z.array(wireOffering).max(limits.offerings).nullish()

/** The body of POST /agents/register in all formats. Unknown members are kept and returned. */
export const registrationBody = z
  .object({
    name: z.string().max(limits.nameChars).nullish(),
    handle: z.string(),
    description: z.string().max(limits.descriptionChars).nullish(),
    chain_id: chainId,
    endpoint_url: text,
    via_gateway: flag,
    card: z.object({ name: text, description: text, jobOfferings: offerings }).loose().nullish(),
    job_offerings: offerings,
    jobOfferings: offerings,
    metadata: z.object({ via_gateway: flag, paid_only: flag }).loose().nullish(),
    paid_only: flag,
    user_id: text,
    signature: text,
    message: text,
  })
  .loose()
  .refine(it => isShallow(it), 'is nested too deeply')
  .refine(
    it => isWithinBytes(it, limits.cardBytes),
    `A registration has at most ${limits.cardBytes / 1024} KiB with its offerings.`,
  )
export type RegistrationBody = z.infer<typeof registrationBody>

export type Registration = {
  handle: string
  name: string
  description: string
  chainId: number
  endpointUrl: string | undefined
  viaGateway: boolean
  offerings: Offering[]
  /** Decimal USDC; undefined when the registration has no fee. */
  callFee: string | undefined
}

/**
 * Normalises both formats to one shape.
 * @throws Problem invalid-handle, invalid-price, invalid-input, schema-unsupported, schema-too-large
 */
export const toRegistration = (body: RegistrationBody): Registration => {
  const endpointUrl = body.endpoint_url || undefined
  const listed = body.job_offerings ?? body.jobOfferings ?? body.card?.jobOfferings ?? []
  const ids = listed.map(it => it.id)
  if (new Set(ids).size < ids.length) throw new Problem('invalid-input', 'Two offerings have the same id.', '/job_offerings')
  return {
    handle: checkHandle(body.handle),
    name: body.name || body.card?.name || body.handle,
    description: body.description || body.card?.description || '',
    chainId: body.chain_id,
    endpointUrl,
    viaGateway: body.via_gateway ?? body.metadata?.via_gateway ?? endpointUrl === undefined,
    offerings: listed.map(toOffering),
    callFee: callFeeOf(body),
  }
}

const paid = z.object({ paid_only: flag, metadata: z.object({ paid_only: flag }).loose().nullish() }).loose()

export const isPaidOnly = (card: JsonObject): boolean => {
  const said = paid.safeParse(card).data
  return said?.paid_only ?? said?.metadata?.paid_only ?? false
}

// Letters of one alphabet only, because look-alike letters could forge a name, and `##` a hire tag.
const handleShape = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/
const reserved = /^(?:butler(?:\..*)?|admin|system|platform|gateway|erc8004|handle|register|groups)$/i

/** Whether a text is allowed as a handle: short, of the permitted characters, and not reserved. */
export const isHandle = (text: string): boolean =>
  text.length <= limits.handleChars && handleShape.test(text) && !reserved.test(text) && !text.includes('..')

/** @throws Problem invalid-handle */
export const checkHandle = (handle: string): string => {
  if (!isHandle(handle))
    throw new Problem(
      'invalid-handle',
      'A handle has 1 to 64 letters, digits, dots, dashes and underscores, and is not a reserved word.',
      '/handle',
    )
  return handle
}

/** The skills of a registration; none when the member has another shape. */
export const skillsOf = (card: JsonObject): JsonObject[] => {
  const skills = z.array(jsonObject).safeParse(card.skills)
  return skills.success ? skills.data : []
}

const toOffering = (it: WireOffering, index: number): Offering => {
  const pointer = `/job_offerings/${index}`
  const requirement = withoutReferences(it.requirement ?? {}, `${pointer}/requirement`)
  const deliverable = withoutReferences(it.deliverable ?? {}, `${pointer}/deliverable`)
  const tags = [...new Set((it.tags ?? []).map(text => text.trim().toLowerCase()).filter(text => text !== ''))]
  const examples = (it.examples ?? []).map(text => text.trim()).filter(text => text !== '')
  if (!isVisible(it.name)) throw new Problem('invalid-input', 'An offering needs a name that can be read.', `${pointer}/name`)
  checkSchema(requirement, `${pointer}/requirement`)
  checkFillable(requirement, `${pointer}/requirement/type`)
  checkSchema(deliverable, `${pointer}/deliverable`)
  return {
    id: it.id,
    name: it.name,
    description: it.description ?? '',
    ...toPrice(it, pointer),
    jobInput: it.job_input ?? it.jobInput ?? '',
    jobOutput: it.job_output ?? it.jobOutput ?? '',
    requirement,
    deliverable,
    // Omitted when empty, so that the version of an offering without them stays the same.
    ...(examples.length > 0 && { examples }),
    ...(tags.length > 0 && { tags }),
    ...shownOf(it),
    ...(it.validation && { validation: true as const }),
    slaMinutes: checkSla(it.sla_minutes ?? it.slaMinutes ?? 1, pointer),
    requiredFunds: it.required_funds ?? it.requiredFunds ?? false,
    restricted: it.restricted ?? false,
    hide: it.hide ?? false,
    active: it.active ?? true,
  }
}

/** A requirement must be an object, because the butler fills it in member by member. */
const checkFillable = ({ type = 'object' }: JsonObject, pointer: string): void => {
  if (![type].flat().includes('object'))
    throw new Problem('schema-unsupported', 'A requirement must describe an object.', pointer)
}

const checkSla = (sla: number, pointer: string): number => {
  if (!Number.isInteger(sla) || sla < 1 || sla > limits.slaMinutes)
    throw new Problem('invalid-input', `sla_minutes is a whole number from 1 to ${limits.slaMinutes}.`, `${pointer}/sla_minutes`)
  return sla
}

const highestPrice = billion * oneUsdc(maxDecimals)

const toPrice = (it: WireOffering, pointer: string): Pick<Offering, 'price' | 'usage'> => {
  const structured = it.price_v2 ?? it.priceV2
  const isUsage = structured?.type === 'usage'
  const price = (isUsage ? (structured.up_to ?? structured.upTo) : structured?.amount) ?? it.price ?? 0
  const atomic = parseUsdc(price, maxDecimals)
  if (atomic === undefined || atomic >= highestPrice)
    throw new Problem('invalid-price', 'A price must be a decimal amount of USDC, at least 0 and less than a billion.', pointer)
  if (structured?.type && structured.type !== 'fixed' && !isUsage)
    throw new Problem('invalid-price', 'Only fixed prices and usage prices are supported.', `${pointer}/price_v2/type`)
  for (const named of [structured?.symbol, structured?.currency])
    if (named && !/^(?:USDC|0x[0-9a-f]{40})$/i.test(named))
      throw new Problem('invalid-price', 'Prices are in USDC.', `${pointer}/price_v2/currency`)
  return { price: formatUsdc(atomic, maxDecimals), ...(isUsage && { usage: toUsage(it, { atomic, pointer }) }) }
}

/** Reads what one unit costs. The most that a hire costs pays for at least one. */
const toUsage = (it: WireOffering, { atomic, pointer }: { atomic: bigint; pointer: string }): UsagePrice => {
  const { unit: said, per_unit, perUnit: camel } = it.price_v2 ?? it.priceV2 ?? {}
  const unit = toUnit(said ?? '')
  const perUnit = parseUsdc(per_unit ?? camel ?? 0, maxDecimals)
  const refuse = (words: string, member: string) => new Problem('invalid-price', words, `${pointer}/price_v2/${member}`)
  if (unit === undefined) throw refuse('A unit has 1 to 24 letters, digits, spaces and dashes: characters, items, pages.', 'unit')
  if (perUnit === undefined || perUnit === 0n) throw refuse('per_unit must be a decimal amount of USDC above 0.', 'per_unit')
  if (atomic < perUnit) throw refuse('up_to must be a decimal amount of USDC that pays for at least one unit.', 'up_to')
  const uncounted = unitRefusal(unit, it.deliverable ?? {}, it.main ?? undefined)
  if (uncounted) throw refuse(uncounted, 'unit')
  return { unit, perUnit: formatUsdc(perUnit, maxDecimals) }
}
