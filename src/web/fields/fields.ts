import { isObject } from '../../domain/objects.ts'
import type { Schema } from '../client/shapes.ts'
import { fileIdsIn } from '../files/words.ts'
import { membersOf } from './answers.ts'
import { isMoment } from './wallTime.ts'

/** The members of an input as entered texts. */
export type Edited = Record<string, string>
type Kind = 'choice' | 'tick' | 'number' | 'date' | 'moment' | 'line' | 'lines' | 'file'
export type InputField = { name: string; kind: Kind; options: string[]; about: string; type: string; isRequired: boolean }

/** The name of plain text that is an input as a whole. */
const plainName = 'text'

/** Longer texts and texts with line breaks get a field with several lines. */
const lineChars = 60

const day = /^(?:\d{4}-\d\d-\d\d)?$/
type Shape = { options: string[]; value: string; format: unknown }

/** Whether a member is a file or a list of files. An address may be one, too. */
const isFile = (format: unknown, items: unknown, value = ''): boolean =>
  format === 'file' || (isObject(items) && items.format === 'file') || fileIdsIn(value).length > 0

const kindOf = (type: string, { options, value, format }: Shape): Kind => {
  if (options.length > 0) return 'choice'
  // A text that is no date is shown as it is, so that nothing that is sent is hidden.
  if (format === 'date' && day.test(value)) return 'date'
  if (format === 'date-time' && isMoment(value)) return 'moment'
  if (type === 'boolean') return 'tick'
  if (type === 'number' || type === 'integer') return 'number'
  return format === plainName || type === 'array' || type === 'object' || value.length > lineChars || value.includes('\n')
    ? 'lines'
    : 'line'
}

/** Returns the type of a schema. A stranger's schema may contain any value here. */
const typeOf = (type: unknown): string => {
  const known = [type].flat().find(it => typeof it === 'string' && it !== 'null')
  return typeof known === 'string' ? known : 'string'
}

/** Returns the fields of an input: those of its schema and any others it contains. */
export const fieldsOf = (schema: Schema | undefined, values: Edited): InputField[] => {
  const properties = schema?.properties ?? {}
  const names = [...new Set([...(schema?.required ?? []), ...Object.keys(properties), ...Object.keys(values)])]
  return names.map(name => {
    const { type, description, format, items, enum: choices } = properties[name] ?? {}
    const options = Array.isArray(choices) ? choices.map(String) : []
    const known = typeOf(type)
    return {
      name,
      kind: isFile(format, items, values[name]) ? 'file' : kindOf(known, { options, value: values[name] ?? '', format }),
      options,
      about: typeof description === 'string' ? description : '',
      type: known,
      isRequired: schema?.required?.includes(name) ?? false,
    }
  })
}

/** Returns the members of an input as texts by name; empty if the input is not an object. */
export const editedOf = (input: string): Edited => Object.fromEntries(membersOf(input) ?? [])

/** Returns the members of an input as texts by name; plain text is its member `text`. */
export const givenOf = (input: string): Edited =>
  Object.fromEntries(membersOf(input) ?? (input === '' ? [] : [[plainName, input]]))

/** The schema of an input, which has one text where the offering takes plain text. */
export const schemaOf = (schema: Schema | undefined): Schema | undefined =>
  schema && Object.keys(schema.properties ?? {}).length === 0
    ? { required: [plainName], properties: { [plainName]: { type: 'string', format: plainName } } }
    : schema

/** Converts an entered text to its field's type; a text that does not fit stays a text. */
export const toTypedValue = ({ type }: Pick<InputField, 'type'>, text: string): unknown => {
  if (type === 'string') return text
  if (type === 'array' && !text.trim().startsWith('[')) return text.split('\n').flatMap(line => line.trim() || [])
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Returns the whole input as JSON, without empty optional fields. */
export const toInput = (schema: Schema | undefined, values: Edited): string =>
  JSON.stringify(
    Object.fromEntries(
      fieldsOf(schema, values).flatMap(it => {
        const text = values[it.name]?.trim() ?? ''
        return text || it.isRequired ? [[it.name, toTypedValue(it, text)]] : []
      }),
    ),
  )
