import type { Schema } from '../client/wire.ts'
import { membersOf } from './answers.ts'

/** The members of an input as they are typed. */
export type Edited = Record<string, string>
type Kind = 'choice' | 'tick' | 'number' | 'line' | 'lines'
export type InputField = { name: string; kind: Kind; options: string[]; about: string; type: string; isRequired: boolean }

/** Longer texts, and texts of more than one line, take more than one. */
const lineChars = 60

const kindOf = (type: string, { options, value }: { options: string[]; value: string }): Kind => {
  if (options.length > 0) return 'choice'
  if (type === 'boolean') return 'tick'
  if (type === 'number' || type === 'integer') return 'number'
  return type === 'array' || type === 'object' || value.length > lineChars || value.includes('\n') ? 'lines' : 'line'
}

/** A stranger's schema may hold anything where a type or a choice is expected. */
const typeOf = (type: unknown): string => {
  const known = [type].flat().find(it => typeof it === 'string' && it !== 'null')
  return typeof known === 'string' ? known : 'string'
}

/** The fields of an input: those of its schema, and what it holds besides. */
export const fieldsOf = (schema: Schema | undefined, values: Edited): InputField[] => {
  const properties = schema?.properties ?? {}
  const names = [...new Set([...(schema?.required ?? []), ...Object.keys(properties), ...Object.keys(values)])]
  return names.map(name => {
    const { type, description, enum: choices } = properties[name] ?? {}
    const options = Array.isArray(choices) ? choices.map(String) : []
    const known = typeOf(type)
    return {
      name,
      kind: kindOf(known, { options, value: values[name] ?? '' }),
      options,
      about: typeof description === 'string' ? description : '',
      type: known,
      isRequired: schema?.required?.includes(name) ?? false,
    }
  })
}

/** An input as it is typed: its members by name; one text where it is no object. */
export const editedOf = (input: string): Edited => Object.fromEntries(membersOf(input) ?? [])

/** A typed value as its field's type wants it; a text that is none stays one. */
export const toTypedValue = ({ type }: Pick<InputField, 'type'>, text: string): unknown => {
  if (type === 'string') return text
  if (type === 'array' && !text.trim().startsWith('[')) return text.split('\n').flatMap(line => line.trim() || [])
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The whole input as JSON; fields that were left empty and may be are left out. */
export const toInput = (schema: Schema | undefined, values: Edited): string =>
  JSON.stringify(
    Object.fromEntries(
      fieldsOf(schema, values).flatMap(it => {
        const text = values[it.name]?.trim() ?? ''
        return text || it.isRequired ? [[it.name, toTypedValue(it, text)]] : []
      }),
    ),
  )
