import { z } from 'zod'
import { kindOf } from './fieldKinds.ts'
import { isObject, type JsonObject } from './json.ts'
import { takesPlainText } from './plainInput.ts'
import { type Field, fieldsOf } from './schema.ts'
import { splitWords } from './words.ts'

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

/** Whether a question asks for a text, and not for a value such as a city. Any sentence can be its answer. */
export const asksForText = ({ field, form: of }: Question): boolean =>
  kindOf({
    name: field,
    type: of?.type ?? 'string',
    description: of?.description ?? '',
    format: of?.format ?? '',
    allowed: of?.enum ?? [],
  }) === 'text'

const labelChars = 80
/** Whether a message begins with the name of a field and a colon, as in "city: Oslo". */
export const namesField = (requirement: JsonObject, message: string): boolean => {
  const [, label] = /^\s*["']?([^:=\n]+?)["']?\s*[:=](?!\/\/)/.exec(message.slice(0, labelChars)) ?? []
  const said = label === undefined ? '' : splitWords(label).join(' ')
  const names = takesPlainText(requirement) ? ['text'] : fieldsOf(requirement).map(it => it.name)
  return said !== '' && names.some(it => splitWords(it).join(' ') === said)
}

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
