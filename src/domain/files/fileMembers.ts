import { isObject, type Json, type JsonObject } from '../json.ts'
import { type Bound, boundsOf } from './fileRules.ts'

/** A member of a schema whose value is a file, or a list of files. */
export type FileMember = {
  name: string
  description: string
  isList: boolean
  isRequired: boolean
  /** The agent expects an address. It gets one for the time of its lease. */
  isAddress: boolean
  /** Allowed media types as in `contentMediaType`; empty for any. */
  mediaType: string
  /** The largest file in bytes that the seller takes. */
  maxBytes: number | undefined
  /** What is demanded of each file besides its type. */
  bounds: Bound[]
  /** The most files of a list. */
  maxItems: number
}

const isFile = (schema: Json | undefined): schema is JsonObject => isObject(schema) && schema.format === 'file'
const textOf = (value: Json | undefined) => (typeof value === 'string' ? value : '')
const numberOf = (value: Json | undefined) => (typeof value === 'number' ? value : undefined)

/** The members of an object schema that are files: `{"type":"string","format":"file"}`, or a list of such. */
export const fileMembersOf = (schema: JsonObject | null | undefined): FileMember[] =>
  membersOf(schema, item => (isFile(item) ? { isAddress: false, mediaType: textOf(item.contentMediaType) } : undefined))

/**
 * The members of a requirement that take files: file members, and addresses that by their name or description are those of a
 * file. Agents declared these before there were files.
 */
export const takingMembersOf = (schema: JsonObject | null | undefined): FileMember[] => [
  ...fileMembersOf(schema),
  ...membersOf(schema, (item, name, description) => {
    const mediaType = isAddress(item) ? typeOfAddress(name, description) : undefined
    return mediaType === undefined ? undefined : { isAddress: true, mediaType: textOf(item.contentMediaType) || mediaType }
  }),
]

type Read = (item: JsonObject, name: string, description: string) => Pick<FileMember, 'isAddress' | 'mediaType'> | undefined

const membersOf = (schema: JsonObject | null | undefined, read: Read): FileMember[] => {
  const properties = isObject(schema?.properties) ? schema.properties : {}
  const required = Array.isArray(schema?.required) ? schema.required : []
  return Object.entries(properties).flatMap(([name, member]) => {
    if (!isObject(member)) return []
    const isList = isObject(member.items)
    const item = isObject(member.items) ? member.items : member
    const description = textOf(member.description)
    const kind = read(item, name, description)
    if (!kind) return []
    return [
      {
        name,
        description,
        isList,
        ...kind,
        isRequired: required.includes(name),
        maxBytes: numberOf(item.maxBytes),
        bounds: boundsOf(item),
        maxItems: isList ? (numberOf(member.maxItems) ?? Number.POSITIVE_INFINITY) : 1,
      },
    ]
  })
}

const isAddress = ({ format }: JsonObject): boolean => format === 'uri' || format === 'url'

/** What an address is called that leads to a file, with the types of such files. */
const addressed: readonly { words: string; mediaType: string }[] = [
  { words: 'pdf', mediaType: 'application/pdf' },
  { words: 'picture|image|photo|photograph|logo|screenshot', mediaType: 'image/*' },
  { words: 'audio|recording', mediaType: 'audio/*' },
  { words: 'video', mediaType: 'video/*' },
  { words: 'file|document|attachment', mediaType: '' },
]
/** The beginning of a description up to what the address leads to: `The URL of your …`, `Link to an old …`. */
const leading = String.raw`^(?:(?:the|an?|your)\s+)?(?:(?:public\s+)?(?:url|uri|link|address)\s+(?:of|to|for)\s+(?:(?:the|an?|your)\s+)?)?(?:\w+\s+)?`

/** The types of files that an address leads to, by its name or description; undefined for an address of anything else. */
const typeOfAddress = (name: string, description: string): string | undefined => {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_-]+/g, ' ')
  const isSaid = (it: string) =>
    new RegExp(String.raw`\b(?:${it})s?\b`, 'i').test(words) ||
    new RegExp(String.raw`${leading}(?:${it})s?\b`, 'i').test(description)
  return addressed.find(it => isSaid(it.words))?.mediaType
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
