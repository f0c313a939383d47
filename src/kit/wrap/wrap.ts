import { fileMembersOf } from '../../domain/files/fileMembers.ts'
import { isObject, type Json, type JsonObject, parseJson } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { maxDecimals, parseUsdc } from '../../domain/money/money.ts'
import { checkValue, fieldsOf, schemaTypeOf } from '../../domain/schemas/schema.ts'
import type { AgentInput, Work } from '../input.ts'
import type { AgentOffering, AgentOptions } from '../profile.ts'
import { inFolder } from './folder.ts'
import type { PriceList } from './priceList.ts'
import { toMarketSchema } from './schemas.ts'
import type { Capability, LeftOut, Source } from './source.ts'

export type Wrapped = Pick<AgentOptions, 'handle' | 'name' | 'description' | 'skills' | 'offerings' | 'handler'> & {
  /** Capabilities that are not sold, with the reason. */
  leftOut: LeftOut[]
}

type Sold = { capability: Capability; offering: AgentOffering & Pick<Capability, 'requirement' | 'deliverable'> }

/** Wraps an existing program as an agent. Each capability becomes an offering at the price of the list. */
export const wrap = (source: Source, list: PriceList): Wrapped => {
  const leftOut = [...(source.leftOut ?? [])]
  const sold = source.capabilities.flatMap((capability): Sold[] => {
    const reason = list.offerings[capability.id]?.sell === false ? 'the price list does not sell it' : undefined
    try {
      if (reason) throw new Error(reason)
      return [{ capability, offering: toOffering(capability, list) }]
    } catch (error) {
      leftOut.push({ id: capability.id, reason: error instanceof Error ? error.message : String(error) })
      return []
    }
  })
  return {
    handle: list.handle,
    name: list.name,
    description: list.description,
    skills: sold.map(({ capability, offering }) => ({
      id: offering.id,
      name: offering.name,
      description: offering.description,
      ...(capability.tags && { tags: capability.tags }),
    })),
    offerings: sold.map(it => it.offering),
    handler: work => perform(source, sold, work),
    leftOut,
  }
}

const toOffering = (it: Capability, { offerings }: PriceList): Sold['offering'] => {
  const entry = offerings[it.id]
  if (!entry) throw new Error('the price list has no price for it')
  if (it.cost !== undefined && isBelow(entry.price, it.cost))
    throw new Error(`its price of ${entry.price} USDC is below its cost of ${it.cost} USDC`)
  const examples = entry.examples ?? it.examples?.slice(0, limits.examples)
  return {
    id: it.id,
    name: (entry.name ?? it.name).slice(0, limits.nameChars),
    description: (entry.description ?? it.description).slice(0, limits.descriptionChars),
    price: entry.price,
    requirement: toMarketSchema(it.requirement),
    deliverable: toMarketSchema(it.deliverable),
    slaMinutes: entry.sla_minutes ?? 1,
    ...(examples && { examples }),
  }
}

const isBelow = (price: string, cost: string): boolean =>
  (parseUsdc(price, maxDecimals) ?? 0n) < (parseUsdc(cost, maxDecimals) ?? 0n)

const perform = async (source: Source, sold: Sold[], work: Work): Promise<Json> => {
  const found = findSold(sold, work)
  if (!found) return work.fail(`Say which offering is meant: ${sold.map(it => it.offering.id).join(', ')}.`)
  const { capability, offering } = found
  const { text, signal, job, upload } = work
  const { requirement, deliverable } = offering
  const input = toInput(requirement, work)
  const asked = { id: capability.id, signal, ...(job && { job }) }
  if (!hasFiles(requirement) && !hasFiles(deliverable)) return source.call({ ...asked, input, text })
  return inFolder({ requirement, input, files: job?.allFiles ?? [] }, at =>
    source.call({
      ...asked,
      input: at.input,
      text: JSON.stringify(at.input),
      ...(hasFiles(deliverable) && { files: { folder: at.output, upload } }),
    }),
  )
}

const hasFiles = (schema: JsonObject): boolean => fileMembersOf(schema).length > 0

/** Returns the offering of the job, the one named in the input, or the only one. */
const findSold = (sold: Sold[], { job, offering }: Work): Sold | undefined => {
  const named = job?.offeringId ?? offering
  if (named === undefined) return sold.length === 1 ? sold[0] : undefined
  return sold.find(it => [it.offering.id, it.offering.name].includes(named))
}

/**
 * Converts a job's input of any form to an object. Plain text becomes the only required member, or the only member, if that is
 * a text.
 * @throws Error that says what is missing
 */
const toInput = (requirement: JsonObject, input: AgentInput): JsonObject => {
  const value = isObject(parseJson(input.text)) ? input.fields : fromText(requirement, input)
  const { pass, errors } = checkValue(requirement, value)
  if (!pass) throw new Error(`The input does not fit: ${errors.join(' ')}`)
  return value
}

const fromText = (requirement: JsonObject, { text, topic }: AgentInput): JsonObject => {
  const fields = fieldsOf(requirement)
  const required = fields.filter(it => it.required)
  const [field, ...others] = required.length > 0 ? required : fields
  if (!field || others.length > 0 || schemaTypeOf(requirement, field.name) !== 'string') return {}
  return { [field.name]: topic ?? text }
}
