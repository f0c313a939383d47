import { z } from 'zod'
import { isObject, type JsonObject } from '../json.ts'
import type { Field } from '../schemas/schema.ts'

/** An offering from which the user can choose, as displayed. `price` is decimal USDC. */
export const choice = z.object({
  agent_handle: z.string(),
  agent_id: z.string(),
  offering_id: z.string(),
  name: z.string(),
  price: z.string(),
})
export type Choice = z.infer<typeof choice>

/** Keywords that describe how a field is filled in, in their valid shapes. */
const keywords = {
  enum: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])),
  format: z.string(),
  minimum: z.number(),
  maximum: z.number(),
  minLength: z.number(),
  maxLength: z.number(),
}
const form = z.object({ type: z.string(), description: z.string(), ...z.object(keywords).partial().shape })

/** An open question to the user: `words` for people, and `form`, where known, for a user interface. */
export const question = z.object({ field: z.string(), words: z.string(), form: form.optional() })
export type Question = z.infer<typeof question>

/** How a field of a requirement is filled in, by its JSON schema. A malformed keyword is left out. */
export const toForm = (requirement: JsonObject, { name, type, description }: Field): z.infer<typeof form> => {
  const properties = isObject(requirement.properties) ? requirement.properties : {}
  const rules = Object.hasOwn(properties, name) ? properties[name] : undefined
  const said = Object.entries(keywords).flatMap(([keyword, shape]) => {
    const read = shape.safeParse(isObject(rules) ? rules[keyword] : undefined)
    return read.success ? [[keyword, read.data]] : []
  })
  return form.parse({ ...Object.fromEntries(said), type, description })
}
