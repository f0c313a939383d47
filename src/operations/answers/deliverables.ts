import { fileMembersOf } from '../../domain/files/fileMembers.ts'
import type { Listing } from '../../domain/offerings/offering.ts'
import { toLabel } from '../../domain/text/labelled.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import { type Property, toProperties } from '../../language/fields/requirement.ts'

// Says what an offering delivers: the form by its schema, in words of code, and what its provider says of it, as a quotation.

const kinds: Record<string, string> = {
  ...{ string: 'a text', number: 'a number', integer: 'a whole number', boolean: 'yes or no', object: 'several values' },
  ...{ date: 'a date', 'date-time': 'a date with a time', time: 'a time', uri: 'an address', email: 'an e-mail address' },
}
const maxParts = 8
const partChars = 60
const quotedChars = 200

const listed = (names: string[]): string => {
  const shown = names.slice(0, maxParts).map(it => toQuotable(toLabel(it), partChars))
  return names.length > maxParts ? `${shown.join(', ')} and more` : shown.join(', ')
}

const toKind = (it: Property): string => {
  if (it.allowed.length > 0) return `one of ${listed(it.allowed.map(String))}`
  if (it.members.length > 0) return `a list, each with ${listed(it.members.map(one => one.path.at(-1) ?? one.name))}`
  if (it.type === 'array') return 'a list'
  return kinds[it.format] ?? kinds[it.type] ?? 'a value'
}

export const describeDeliverable = ({ deliverable, description }: Pick<Listing, 'deliverable' | 'description'>): string => {
  const files = new Map(fileMembersOf(deliverable).map(it => [it.name, it]))
  const parts = toProperties(deliverable).map(it => {
    const file = files.get(it.name)
    const type = file?.mediaType ? ` of type ${toQuotable(file.mediaType, partChars)}` : ''
    const kind = file ? `${file.isList ? 'several files' : 'a file'}${type}` : toKind(it)
    const own = it.description ? `: “${toQuotable(it.description, quotedChars)}”` : ''
    return `${toQuotable(toLabel(it.name), partChars)} (${kind})${own}`
  })
  const form = parts.length === 0 ? 'one text' : parts.slice(0, maxParts).join('; ')
  return `You get ${form}. Its provider says of it: “${toQuotable(description, quotedChars)}”`
}
