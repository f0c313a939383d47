import { isObject, type Json, type JsonObject } from '../json.ts'

/** A member of a schema whose value is a file, or a list of files. */
export type FileMember = {
  name: string
  description: string
  isList: boolean
  isRequired: boolean
  /** Allowed media types as in `contentMediaType`; empty for any. */
  mediaType: string
  /** The largest file in bytes that the seller takes. */
  maxBytes: number | undefined
  /** The most files of a list. */
  maxItems: number
}

const isFile = (schema: Json | undefined): schema is JsonObject => isObject(schema) && schema.format === 'file'
const textOf = (value: Json | undefined) => (typeof value === 'string' ? value : '')
const numberOf = (value: Json | undefined) => (typeof value === 'number' ? value : undefined)

/** The members of an object schema that are files: `{"type":"string","format":"file"}`, or a list of such. */
export const fileMembersOf = (schema: JsonObject | null | undefined): FileMember[] => {
  const properties = isObject(schema?.properties) ? schema.properties : {}
  const required = Array.isArray(schema?.required) ? schema.required : []
  return Object.entries(properties).flatMap(([name, member]) => {
    const item = isObject(member) && isFile(member.items) ? member.items : member
    if (!isFile(item) || !isObject(member)) return []
    const isList = item !== member
    return [
      {
        name,
        description: textOf(member.description),
        isList,
        isRequired: required.includes(name),
        mediaType: textOf(item.contentMediaType),
        maxBytes: numberOf(item.maxBytes),
        maxItems: isList ? (numberOf(member.maxItems) ?? Number.POSITIVE_INFINITY) : 1,
      },
    ]
  })
}

/** The schema without its file members, for readers of words: no word is the value of a file. */
export const withoutFileMembers = (schema: JsonObject): JsonObject => {
  const names = new Set(fileMembersOf(schema).map(it => it.name))
  if (names.size === 0) return schema
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.has(name))),
    required: required.filter(it => typeof it !== 'string' || !names.has(it)),
  }
}

/** A member that is a file, as it stands in the stored JSON of an offering. In a text its quotes are escaped. */
export const fileMark = '"format":"file"'

/** Whether an offering takes or returns files. A payer without an account can neither send nor read them. */
export const hasFiles = ({ requirement, deliverable }: { requirement: unknown; deliverable: unknown }): boolean =>
  JSON.stringify([requirement, deliverable]).includes(fileMark)
