import type { JsonObject } from '../json.ts'
import { isFileId } from './fileLinks.ts'
import type { FileMember } from './fileMembers.ts'
import { namesKind, takesType } from './fileTypes.ts'
import type { GivenFile } from './namedFile.ts'

export type Assigned = {
  values: JsonObject
  unclear: { member: FileMember; files: GivenFile[] }[]
  /** Files that no member took. */
  leftOut: GivenFile[]
}

type Giving = {
  /** The files of the request, in order. */
  given: readonly GivenFile[]
  /** Files of earlier messages and results of the conversation, newest first. */
  earlier: readonly GivenFile[]
  /** The newest words of the user. */
  words: string
  /** The inputs that are known already. */
  known: JsonObject
}

export const fits = ({ mediaType, maxBytes }: FileMember, file: GivenFile): boolean =>
  takesType(mediaType, file.mediaType) && (maxBytes === undefined || file.bytes <= maxBytes)

/**
 * Gives the files of a request to the file members of an input, by type and order: each file once, required members first. A list
 * takes all that fit it. Where more files fit than there are places, the words must name one.
 */
export const assignFiles = (members: readonly FileMember[], { given, earlier, words, known }: Giving): Assigned => {
  const meant = given.length > 0 ? [...given] : recalled(members, { earlier, words })
  const left = new Map(meant.map(it => [it.id, it]))
  const values: JsonObject = {}
  const unclear: Assigned['unclear'] = []
  const give = (member: FileMember, files: GivenFile[]) => {
    const ids = files.slice(0, member.maxItems).map(it => it.id)
    for (const id of ids) left.delete(id)
    if (ids[0] !== undefined) values[member.name] = member.isList ? ids : ids[0]
  }
  for (const member of members)
    give(
      member,
      meant.filter(it => it.member === member.name && fits(member, it)),
    )
  const open = members
    .filter(it => !Object.hasOwn(values, it.name))
    .toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired))
  for (const [at, member] of open.entries()) {
    const fitting = [...left.values()].filter(it => it.member === undefined && fits(member, it))
    const places = open.slice(at).filter(it => !it.isList && fitting.every(file => fits(it, file))).length
    const named = fitting.filter(it => isNamed(it, words))
    const oneOf = fitting.length <= places ? fitting.slice(0, 1) : named.length === 1 ? named : undefined
    const taken = member.isList ? fitting : oneOf
    if (taken) give(member, taken)
    else unclear.push({ member, files: fitting })
  }
  const all = { ...keptOf(members, known, values), ...values }
  const asked = new Set(unclear.flatMap(it => it.files.map(file => file.id)))
  const inAll = JSON.stringify(all)
  return { values: all, unclear, leftOut: meant.filter(({ id }) => !asked.has(id) && !inAll.includes(id)) }
}

/** Known values of file members that no new file replaces. An address in words may be replaced by words. */
const keptOf = (members: readonly FileMember[], known: JsonObject, values: JsonObject): JsonObject =>
  Object.fromEntries(
    members.flatMap(({ name, isAddress }) =>
      Object.hasOwn(known, name) && !Object.hasOwn(values, name) && (!isAddress || [known[name]].flat().every(isFileId))
        ? [[name, known[name] ?? null] as const]
        : [],
    ),
  )

const isNamed = ({ name }: GivenFile, words: string): boolean => {
  const said = words.toLowerCase()
  const [stem = ''] = name.toLowerCase().split(/\.[^.]*$/)
  return said.includes(name.toLowerCase()) || (stem.length > 2 && said.includes(stem))
}

const both = /\b(?:both|all|these|those|the two|the three|every)\b/i
const back = /\b(?:(?:from )?(?:before|earlier)|previous|same|last|again|that|this|the|it|both|these|those|my)\b/i
const anyFile = /\b(?:files?|results?|it)\b/i

/** The earlier files that words speak of: `the file from before`, `the pdf`, `this picture`, `both files`. */
const recalled = (members: readonly FileMember[], { earlier, words }: Pick<Giving, 'earlier' | 'words'>): GivenFile[] => {
  const fitting = earlier.filter(file => members.some(it => fits(it, file)))
  const named = fitting.filter(it => isNamed(it, words))
  if (named.length > 0) return named
  if (!back.test(words)) return []
  const ofKind = fitting.filter(it => namesKind(words, it.mediaType))
  const meant = ofKind.length > 0 ? ofKind : anyFile.test(words) ? fitting : []
  // The newest one is meant, or as many as the words say.
  return both.test(words) ? meant.slice(0, 2).reverse() : meant.slice(0, 1)
}

export const takesSome = (members: readonly FileMember[], files: readonly GivenFile[]): boolean =>
  files.some(file => members.some(it => fits(it, file)))
