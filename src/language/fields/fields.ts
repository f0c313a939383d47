import { type Kind, kindOf } from '../words/fieldKinds.ts'
import { splitWords, toTerms } from '../words/words.ts'
import type { Property } from './requirement.ts'

export type { Kind } from '../words/fieldKinds.ts'

/** Whether a field is the start or the end of a journey, conversion or translation. */
export type Role = 'from' | 'to'

export type Slot = Property & { kind: Kind; role: Role | undefined; terms: readonly string[] }

const beginnings = new Set('from base source src origin departure depart start outbound leave'.split(' '))
const ends = new Set('to quote target dst dest destination arrival arrive end return back inbound until'.split(' '))
/** Names of objects for the start and the end of a journey: `pickup.postcode`. */
const startOf = new Set('pickup collection sender shipper seller'.split(' '))
const endOf = new Set('delivery dropoff recipient receiver consignee'.split(' '))
const toRole = ({ name, path }: Property): Role | undefined => {
  const words = splitWords(name)
  const above = splitWords(path.slice(0, -1).join(' '))
  if (above.some(it => startOf.has(it))) return 'from'
  if (above.some(it => endOf.has(it))) return 'to'
  if (words.some(it => beginnings.has(it)) && !words.includes('year')) return 'from'
  return words.some(it => ends.has(it)) ? 'to' : undefined
}

/** The kind of a leaf by its own name; where that tells nothing, with the names of what it is a part of. */
const kindOfLeaf = (property: Property): Kind => {
  const own = kindOf({ ...property, name: property.path.at(-1) ?? property.name })
  // The two ends of a journey: `route.from`.
  if (
    own === 'text' &&
    property.path.length > 1 &&
    property.description === '' &&
    /^(?:from|to)$/.test(property.path.at(-1) ?? '')
  )
    return 'place'
  return own === 'text' && property.path.length > 1 ? kindOf(property) : own
}

/** Adds to a property of a schema its kind, its role and its terms. */
export const toSlot = (property: Property): Slot => ({
  ...property,
  kind: kindOfLeaf(property),
  role: toRole(property),
  terms: toTerms(`${property.name} ${property.description}`),
})

/** Kinds whose value is free text in the user's own words. */
const wordKinds = new Set<Kind>(['text', 'topic', 'manner', 'name'])
/** Whether the value of a slot is free text. */
export const isWords = ({ kind }: Slot): boolean => wordKinds.has(kind)

const wholeText =
  /\b(?:text|content|clause|code|notes?|transcript|message|body|letter|source|script|draft|article|essay|csv|json|data|log|words?|details|story|query|question|prompt|poem|lyrics|cv|resume|review|comment|command|instructions?|request|sentence|description|describe|paste|expression|function|formula|document|saying|says?|said)\b/i
/** Whether a field takes a text as a whole, such as a letter. Any other word field takes a property of a thing: its make, its breed. */
export const isWholeText = ({ path, name, description }: Slot): boolean =>
  wholeText.test(`${splitWords(path.at(-1) ?? name).join(' ')} ${description}`)
