import { z } from 'zod'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { type FileMember, fileMembersOf } from './fileMembers.ts'
import { takesType, toTypeWords } from './fileTypes.ts'

/** A file as the terms of a hire, a verdict and a delivery name it: other bytes have another hash. */
export const namedFile = z.object({
  member: z.string().describe('The member of the input or deliverable that names it'),
  file_id: z.string(),
  name: z.string(),
  media_type: z.string(),
  bytes: z.number().int(),
  sha256: z.string(),
})
export type NamedFile = z.infer<typeof namedFile>

/** The ids of files that a value names in the file members of its schema. A member with another value names none. */
export const fileIdsIn = (schema: JsonObject, value: Json | undefined): { member: string; id: string }[] =>
  fileMembersOf(schema).flatMap(({ name }) =>
    [isObject(value) && Object.hasOwn(value, name) ? (value[name] ?? []) : []]
      .flat()
      .flatMap(id => (typeof id === 'string' ? { member: name, id } : [])),
  )

/** The limits of a file member in words. */
export const toMemberWords = ({ name, mediaType, maxBytes }: FileMember): string =>
  `${name} is ${toTypeWords(mediaType)}${maxBytes === undefined ? '' : ` of at most ${maxBytes} bytes`}`

/** Why a file does not fit its member; undefined when it does. */
export const faultOfFile = (
  { mediaType, maxBytes = Number.POSITIVE_INFINITY }: Pick<FileMember, 'mediaType' | 'maxBytes'>,
  file: Pick<NamedFile, 'name' | 'media_type' | 'bytes'>,
): string | undefined => {
  if (!takesType(mediaType, file.media_type)) return `${file.name} is ${file.media_type}, and not ${toTypeWords(mediaType)}.`
  return file.bytes > maxBytes ? `${file.name} has ${file.bytes} bytes, more than ${maxBytes}.` : undefined
}
