import { z } from 'zod'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { toCounted } from '../text/counted.ts'
import { quoteName } from '../text/quotableText.ts'
import { isFileId } from './fileLinks.ts'
import { type FileMember, takingMembersOf } from './fileMembers.ts'
import { faultOfBound, measures, toBoundWords } from './fileRules.ts'
import { takesType, toTypeWords } from './fileTypes.ts'

/** A file as the terms of a hire, a verdict and a delivery name it: other bytes have another hash. */
export const namedFile = z.object({
  member: z.string().describe('The member of the input or deliverable that names it'),
  file_id: z.string(),
  name: z.string(),
  media_type: z.string(),
  bytes: z.number().int(),
  sha256: z.string(),
  measures: measures.optional().describe('Read from the bytes, where a check demands it'),
})
export type NamedFile = z.infer<typeof namedFile>

/** The ids of files that a value names in the file members of its schema. An address of something else names none. */
export const fileIdsIn = (schema: JsonObject, value: Json | undefined): { member: string; id: string }[] =>
  takingMembersOf(schema).flatMap(({ name, isAddress }) =>
    [isObject(value) && Object.hasOwn(value, name) ? (value[name] ?? []) : []]
      .flat()
      .flatMap(id => (typeof id === 'string' && (!isAddress || isFileId(id)) ? { member: name, id } : [])),
  )

/** A text in which files stand under their names and sizes, not under their ids. Names come from strangers. */
export const withFileNames = (text: string, files: readonly Pick<NamedFile, 'file_id' | 'name' | 'bytes'>[] = []): string =>
  files.reduce((all, it) => all.replaceAll(it.file_id, () => `${quoteName(it.name)} (${toCounted(it.bytes, 'byte')})`), text)

/** The limits of a file member in words. */
export const toMemberWords = ({ name, mediaType, bounds }: FileMember): string =>
  `${name} is ${toTypeWords(mediaType)}${bounds.length === 0 ? '' : ` of ${bounds.map(toBoundWords).join(', ')}`}`

/** Why a file does not fit its member; undefined when it does. */
export const faultOfFile = (
  { mediaType, bounds }: Pick<FileMember, 'mediaType' | 'bounds'>,
  file: Pick<NamedFile, 'name' | 'media_type' | 'bytes' | 'measures'>,
): string | undefined => {
  if (!takesType(mediaType, file.media_type)) return `${file.name} is ${file.media_type}, and not ${toTypeWords(mediaType)}.`
  const found = { ...file.measures, bytes: file.bytes }
  const fault = bounds.map(it => faultOfBound(it, found)).find(it => it !== undefined)
  return fault && `${file.name} ${fault}.`
}

/** What is known of a stored file that a message names. `member`: the member of an input that it is for. */
export const givenFile = z.object({
  id: z.string(),
  name: z.string(),
  member: z.string().optional(),
  mediaType: z.string().default(''),
  bytes: z.number().default(0),
})
export type GivenFile = z.infer<typeof givenFile>
