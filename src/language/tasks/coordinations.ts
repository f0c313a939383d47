import { findSpans } from '../forms/recognisers.ts'
import { findQuotations } from '../text/quotations.ts'
import { findJoinedNames } from '../words/knownPlaces.ts'
import { unitOf } from '../words/measures.ts'
import { isDeed, isEmpty } from '../words/vocabulary.ts'
import { isPartOfValue } from './maskedText.ts'

// Finds coordinations: members of one shape that are joined by commas and "and". "5 kg at 10 m/s and 8 kg at 12 m/s" has two.

export type Part = { from: number; to: number }

/** A word, value or mark of a text. `shape` is its kind, and for a function word the word itself. */
type Piece = Part & { shape: string; unitFrom?: number }

/** A longer text is material, and the time of the reading is bounded. */
const maxChars = 2_000
const maxJoints = 60
const longestMember = 9
const maxMembers = 8
const shortDigits = 3

const [quoteMark, nameMark] = ['\uE001', '\uE002']
const month = [
  ...['jan(?:uary)?', 'feb(?:ruary)?', 'mar(?:ch)?', 'apr(?:il)?', 'may', 'june?', 'july?', 'aug(?:ust)?', 'sept?(?:ember)?'],
  ...['oct(?:ober)?', 'nov(?:ember)?', 'dec(?:ember)?'],
].join('|')
const conjunctions = 'and|&|plus|while|as well as'
const pieces = new RegExp(
  [
    `(?<hidden>${quoteMark}+|${nameMark}+)`,
    String.raw`(?<joint>\s*[,;]\s*(?:(?:${conjunctions})\s+)?(?:(?:then|also|finally|lastly)\s+)?|\s+(?:${conjunctions})\s+(?:(?:then|also)\s+)?)`,
    String.raw`(?<end>[.!?…:]+(?=\s|$)|\n+)`,
    String.raw`(?<date>(?:${month})\.?\s\d{1,2}(?:st|nd|rd|th)?(?!\d)(?:,?\s\d{4})?|\d{1,2}(?:st|nd|rd|th)?\s(?:of\s)?(?:${month})(?:\s\d{4})?)(?![\p{L}\d])`,
    String.raw`(?<number>[-−]?[$€£]?\d(?:[\d.,:]*\d)?%?)(?=(?<unit>\s?(?:°\p{L}?|\p{L}+(?:[/^²³·*]+[\p{L}\d/^²³]+|[²³])?)(?![\p{L}\p{N}]))?)`,
    String.raw`(?<word>[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}'’&._/-]*[\p{L}\p{N}])?)`,
  ].join('|'),
  'giu',
)
const determiner = /^(?:the|an?|my|our|your|his|her|their|its|another|other|one|some|each|both|also)$/i

const blank = (left: string, { from, to }: Part, mark: string) => left.slice(0, from) + mark.repeat(to - from) + left.slice(to)
const marks = new Set(['url', 'email', 'ip', 'phone', 'wallet', 'hash'])
const brackets = /[([{][^()[\]{}\n]{1,200}[)\]}]/g
/** The text with a mark in the place of each quotation, bracket, web address, and name that has "and" in it. */
const hide = (text: string): string => {
  const quoted = findQuotations(text).reduce((left, it) => blank(left, it, quoteMark), text)
  const marked = findSpans(quoted, marks).reduce((left, it) => blank(left, it, quoteMark), quoted)
  const bracketed = marked.replace(brackets, it => quoteMark.repeat(it.length))
  return findJoinedNames(bracketed).reduce((left, it) => blank(left, it, nameMark), bracketed)
}

/** `before` is the shape of the piece before it in the same member; empty at its beginning. A verb may begin a sentence. */
const shapeOfWord = (said: string, isFirst: boolean, before: string): string => {
  const lower = said.toLowerCase()
  if (determiner.test(said)) return 'the'
  if (said !== lower && said !== 'I' && !(isFirst && (isDeed(said) || isEmpty(lower)))) return 'name'
  if (before === 'the') return 'word'
  return isEmpty(lower) ? lower : before === '' && isDeed(said) ? 'deed' : 'word'
}

/** A name goes on with names and short numbers, and a word with words. */
const goesOn = (last: Piece, { shape, from, to }: Piece, gap: string): boolean =>
  gap === ' ' &&
  (last.shape === 'name'
    ? shape === 'name' || (shape === 'number' && to - from <= shortDigits)
    : last.shape === 'word' && shape === 'word')

/** The pieces of a stretch without an end of a sentence. `joints`: the pieces after a joint, and whether it has a conjunction. */
type Stretch = { pieces: Piece[]; joints: Map<number, boolean> }

const isUnit = (said: string) => unitOf(said.trim().split(/[/^²³·*]/)[0] ?? '') !== undefined || /[/^²³]/.test(said)

type Found = { said: string; from: number; groups: Partial<Record<string, string>>; isVerb: boolean }
const toPiece = ({ said, from, groups, isVerb }: Found, { pieces: own, joints }: Stretch): Piece => {
  const to = from + said.length
  const { hidden, date, number, unit = '' } = groups
  if (hidden) return { from, to, shape: said.startsWith(nameMark) ? 'name' : 'mark' }
  if (number) return { from, to: unit !== '' && isUnit(unit) ? to + unit.length : to, shape: 'number', unitFrom: to }
  const before = joints.has(own.length) ? '' : (own.at(-1)?.shape ?? '')
  // In "Fetch and plot" both words are verbs.
  const word = own.length === 0 && isVerb ? said.toLowerCase() : said
  return { from, to, shape: date ? 'date' : shapeOfWord(word, own.length === 0, before) }
}

/** Adds a joint or a piece that stands before the given text. */
const addTo = (stretch: Stretch, found: Omit<Found, 'isVerb'>, hidden: string): void => {
  const { pieces: own, joints } = stretch
  const { said, from, groups } = found
  const last = own.at(-1)
  const after = hidden.slice(from + said.length)
  if (groups.joint !== undefined) {
    // "Paris, France" and "May 1, 2027" are one value.
    const isInside = last && /^,\s*$/.test(said) && last.shape === 'name' && isPartOfValue(after)
    if (isInside) last.to = from + said.length
    else if (last) joints.set(own.length, /[\p{L}&]/u.test(said))
    return
  }
  const piece = toPiece({ ...found, isVerb: /^\s+(?:and|&)\s+\p{Ll}/u.test(after) }, stretch)
  const isMore = last && !joints.has(own.length) && (last.to === from || goesOn(last, piece, hidden.slice(last.to, from)))
  if (isMore) last.to = piece.to
  else own.push(piece)
}

const stretchesOf = (text: string): Stretch[] => {
  const hidden = hide(text)
  let stretch: Stretch = { pieces: [], joints: new Map() }
  const all = [stretch]
  for (const { 0: said, index: from, groups = {} } of hidden.matchAll(pieces)) {
    if (from < (stretch.pieces.at(-1)?.to ?? 0)) continue
    if (groups.end === undefined) addTo(stretch, { said, from, groups }, hidden)
    else {
      stretch = { pieces: [], joints: new Map() }
      all.push(stretch)
    }
  }
  return all
}

const isValue = ({ shape }: Piece) => /^(?:mark|name|date|number|word)$/.test(shape)

/** The places of the pieces of a member; the second one is behind its last piece. */
type Member = { from: number; to: number }

/**
 * The shape of a member. In one of several pieces a name and a word are alike, and so are one and several of them: "'Dawn' in the
 * old museum and 'Dusk' in the Louvre".
 */
const shapeAt = ({ pieces: all, joints }: Stretch, { from, to }: Member): string => {
  const own = all.slice(from, to).flatMap((it, at) => [...(at > 0 && joints.has(from + at) ? ['&'] : []), it.shape])
  const shapes = own.filter(it => it !== 'the')
  if (shapes.length < 2) return shapes.join('')
  const plain = shapes.map(it => (it === 'name' ? 'word' : it))
  return plain.filter((it, at) => it !== 'word' || plain[at - 1] !== 'word').join(' ')
}

/** `isLong`: with all words of the first noun. */
type Beside = { shape: string; side: 1 | -1; isLong: boolean }
/** The member of this shape that ends before a place, or begins at it. */
const beside = (it: Stretch, place: number, { shape, side, isLong }: Beside): Member | undefined => {
  let found: Member | undefined
  for (let size = 1; size <= longestMember; size += 1) {
    const member = side < 0 ? { from: place - size, to: place } : { from: place, to: place + size }
    if (member.from < 0 || member.to > it.pieces.length) break
    const isIt = shapeAt(it, member) === shape
    if (found && !(isIt && (isLong || it.pieces[member.from]?.shape === 'the'))) break
    if (isIt) found = member
  }
  return found
}

const isMeasured = ({ unitFrom, to }: Piece) => unitFrom !== undefined && unitFrom < to
/** The last pieces of members, without a unit that only the last number has: it is that of all in "15, 20 and 30 years". */
const endsOf = ({ pieces: all }: Stretch, members: readonly Member[]): number[] => {
  const ends = members.flatMap(it => all[it.to - 1] ?? [])
  const isShared = ends.some(isMeasured) && !ends.every(isMeasured)
  return ends.map(it => (isShared ? (it.unitFrom ?? it.to) : it.to))
}

/** The places of members in the text; none for one quantity or range in two numbers: "3 metres and 80", "between 3 and 5". */
const toParts = (it: Stretch, members: readonly Member[]): Part[] => {
  if (it.pieces[(members[0]?.from ?? 0) - 1]?.shape === 'between') return []
  const [first, last] = [members[0], members.at(-1)].map(one => it.pieces[(one?.to ?? 0) - 1])
  if (first && last && last.shape === 'number' && isMeasured(first) && !isMeasured(last)) return []
  const ends = endsOf(it, members)
  return members.map(({ from }, at) => ({ from: it.pieces[from]?.from ?? 0, to: ends[at] ?? 0 }))
}

/** Members with the number of pieces of each, and their shape. */
type Sized = { members: Part[]; size: number; shape: string }

/** The members beside each other from a place on, to one side. */
const series = (it: Stretch, place: number, of: Beside): Member[] => {
  if (!it.joints.has(place)) return []
  const member = beside(it, place, of)
  if (!member) return []
  const more = series(it, of.side < 0 ? member.from : member.to, of)
  return of.side < 0 ? [...more, member] : [member, ...more]
}

/** The coordinations around a joint. All members have one shape. */
const around = (it: Stretch, at: number): Sized[] => {
  const found: Sized[] = []
  for (let to = Math.min(it.pieces.length, at + longestMember); to > at; to -= 1) {
    const shape = shapeAt(it, { from: at, to })
    if (!it.pieces.slice(at, to).some(isValue) || it.pieces[to - 1]?.shape === 'the') continue
    for (const isLong of [true, false]) {
      const before = series(it, at, { shape, side: -1, isLong })
      const members = [...before, { from: at, to }, ...series(it, to, { shape, side: 1, isLong })]
      if (before.length > 0 && members.length <= maxMembers) found.push({ members: toParts(it, members), size: to - at, shape })
    }
  }
  return found
}

const toKey = (members: readonly Part[]) => members.map(it => `${it.from}-${it.to}`).join()

/** The coordinations of a text. They may overlap, and those with the longest members come first. */
export const findCoordinations = (text: string): Part[][] => {
  const stretches = stretchesOf(text.slice(0, maxChars))
  if (stretches.reduce((sum, it) => sum + it.joints.size, 0) > maxJoints) return []
  // What only commas join is one value, such as a town and its state, unless it is a list of three and more.
  const isListed = ({ members, shape }: Sized) => members.length > 2 && /^(?:mark|name|date|number)$/.test(shape)
  const all = stretches.flatMap(it =>
    [...it.joints].flatMap(([at, isSure]) => around(it, at).filter(one => isSure || isListed(one))),
  )
  const found = all.filter(it => it.members.length > 0)
  const longest = found.toSorted((a, b) => b.size - a.size || b.members.length - a.members.length).map(it => it.members)
  return [...new Map(longest.map(it => [toKey(it), it])).values()]
}

/** The text with only one member of a coordination in its place. */
export const withMember = (text: string, members: readonly Part[], at: number): string => {
  const [first, last, own] = [members[0], members.at(-1), members[at]]
  return first && last && own ? text.slice(0, first.from) + text.slice(own.from, own.to) + text.slice(last.to) : text
}
