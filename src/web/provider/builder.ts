import type { Schema } from '../client/shapes.ts'

export type Built = { name: string; type: string; description: string; isRequired: boolean; choices: string }

export const builtTypes = [
  ['string', 'Text'],
  ['number', 'Number'],
  ['integer', 'Whole number'],
  ['boolean', 'Yes or no'],
] as const

const known = new Set(['type', 'description', 'enum'])

/** Returns the fields of a schema; undefined if fields cannot express it, so that only its text can be edited. */
export const builtOf = (schema: Schema): Built[] | undefined => {
  const extra = Object.keys(schema).some(it => !['type', 'required', 'properties'].includes(it))
  if (extra) return undefined
  const fields = Object.entries(schema.properties ?? {}).map(([name, it]) => {
    const isPlain = Object.keys(it).every(key => known.has(key)) && builtTypes.some(([type]) => type === (it.type ?? 'string'))
    const choices = Array.isArray(it.enum) ? it.enum : []
    if (!isPlain || choices.some(one => typeof one !== 'string')) return undefined
    return {
      name,
      type: String(it.type ?? 'string'),
      description: typeof it.description === 'string' ? it.description : '',
      isRequired: schema.required?.includes(name) ?? false,
      choices: choices.join(', '),
    }
  })
  return fields.some(it => it === undefined) ? undefined : fields.flatMap(it => it ?? [])
}

export const toSchemaText = (fields: Built[]): string => {
  const named = fields.filter(it => it.name.trim())
  if (named.length === 0) return ''
  const properties = Object.fromEntries(
    named.map(it => {
      const choices = it.choices.split(',').flatMap(one => one.trim() || [])
      return [
        it.name.trim(),
        {
          type: it.type,
          ...(it.description.trim() && { description: it.description.trim() }),
          ...(choices.length > 0 && it.type === 'string' && { enum: choices }),
        },
      ]
    }),
  )
  return JSON.stringify(
    { type: 'object', required: named.filter(it => it.isRequired).map(it => it.name.trim()), properties },
    undefined,
    2,
  )
}
