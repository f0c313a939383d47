import type { Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import { stem } from '../words/stem.ts'
import { toTokens } from '../words/tokens.ts'
import { splitWords } from '../words/words.ts'
import { type Mention, mentionsOf, namedMentions } from './mentions.ts'

// Reads fields with a fixed set of values. A value after "not" is excluded.

/**
 * Common words that often are not meant as a choice. They need a word of their field beside them, or must be the whole message.
 */
const common = new Set(
  splitWords(
    'any all first go other none base light dark full quick open point back low high new long short best free right left white black one both mixed up down hard main read page standard default basic fast slow large small cold hot yes no true false',
  ),
)

const denied =
  /(?:\b(?:not|no|without|isn['’]?t|don['’]?t(?: want| use)?|instead of|rather than|never|nor|except|but not)\b[\s"'“]*(?:(?:an?|the|in|for|use|any|it)\s+){0,2})$/i
const isDenied = (text: string, { from }: Mention) => denied.test(text.slice(Math.max(0, from - 30), from))

const partStart = /(?:^|[,;.:!?\n])\s*(?:(?:and|but|very|rather|only|just|a|please)\s+){0,2}$/i
const partEnd = /^(?:\s+(?:please|pls|ones?|too|instead))?\s*(?:$|[,;.!?\n])/i
/** Whether a word stands alone between commas or other marks: "20 copies, hard, in green". */
const isApart = (text: string, { from, to }: Mention): boolean =>
  partStart.test(text.slice(0, from)) && partEnd.test(text.slice(to))

/**
 * Whether a common word is meant as a choice. It must be next to a word of its field, follow a fitting preposition, or be the
 * whole message.
 */
const isMeant = (text: string, mention: Mention, slot: Slot): boolean => {
  const words = splitWords(String(mention.value))
  if (!words.every(it => common.has(it))) return true
  const own = new Set([...slot.terms, 'class', 'option', 'version', 'mode'])
  const around = toTokens(text.slice(Math.max(0, mention.from - 25), mention.to + 25)).map(it => it.stem)
  const before = text.slice(Math.max(0, mention.from - 14), mention.from)
  const isAlone = splitWords(text.replaceAll('\uE000', ' ')).length <= words.length + 2
  const isPlaced =
    /\b(?:in|on|with|for|use|using|was|am|as|via|make it|but)\s+(?:an?\s+|the\s+)?$/i.test(before) && words.length === 1
  const after = text.slice(mention.to, mention.to + 12)
  return (
    isAlone ||
    isApart(text, mention) ||
    around.some(it => own.has(it)) ||
    (isPlaced && !/^\s+\p{L}/u.test(after)) ||
    (isPlaced && slot.required) ||
    (slot.required && !/^(?:any|all|first|go|other|none|yes|no)$/.test(words.join(' ')))
  )
}

/** One or two letters are a code in capitals or alone. In a sentence they are a word: "it", "in", "a". */
const isNoOtherWord = (text: string, { from, to }: Mention, slot: Slot): boolean => {
  const said = text.slice(from, to)
  return (
    !slot.allowed.every(it => /^[a-z]{1,3}$/i.test(String(it))) ||
    said.length > 2 ||
    said === said.toUpperCase() ||
    splitWords(text).length < 2
  )
}

/** Returns the choices of a field that a text means, in order. */
export const mentionsIn = (text: string, slot: Slot): Mention[] => {
  const tokens = toTokens(text)
  const plain = slot.allowed
    .flatMap(it => (typeof it === 'string' ? mentionsOf(tokens, it, slot) : []))
    .filter(it => isNoOtherWord(text, it, slot))
  const all = [...plain, ...namedMentions(text, slot)]
  const sure = all.some(it => !it.isLoose) ? all.filter(it => !it.isLoose) : all
  // Keeps the longest of overlapping choices ("oil painting" over "painting") and drops duplicates.
  const widest = sure.filter(
    (it, at) =>
      !sure.some(
        (other, place) =>
          other !== it &&
          other.from <= it.from &&
          other.to >= it.to &&
          (other.to - other.from > it.to - it.from || (place < at && other.value === it.value)),
      ),
  )
  return widest.filter(it => (it.isLeftOut || !isDenied(text, it)) && isMeant(text, it, slot)).sort((a, b) => a.from - b.from)
}

const correction = /\b(?:no|actually|rather|instead|wait|sorry|i mean(?:t)?|make (?:it|that))\b/i

/** Returns the one choice that a text means: the only one, the one after a correction, or the one beside the field's name. */
const oneOf = (text: string, slot: Slot): Mention | undefined => {
  const all = mentionsIn(text, slot)
  const [first] = all
  if (!first || all.every(it => it.value === first.value)) return first
  const corrected = all.findLast(it => correction.test(text.slice(Math.max(0, it.from - 25), it.from)))
  if (corrected && corrected === all.at(-1)) return corrected
  const name = new Set(splitWords(slot.name).map(stem))
  const beside = all.filter(it =>
    toTokens(text.slice(it.to, it.to + 16))
      .slice(0, 1)
      .some(token => name.has(token.stem)),
  )
  return beside.length === 1 ? beside[0] : undefined
}

const fromLead = /\b(?:from|of|out of|have|sell|selling|change|exchange|convert)\s+(?:my |the |some )?$/i
const toLead = /(?:\b(?:to|too|into|in|for|as|buy|get|=)|[→>])\s+(?:the |some )?$/i
const besideNumber = (text: string, { from, to }: Mention) =>
  /[\d]\s?$|\b(?:hundred|thousand|million|dozen|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)\s$/i.test(
    text.slice(Math.max(0, from - 10), from),
  ) || /^\s?\d/.test(text.slice(to, to + 2))

type Sided = Mention & { side: 'from' | 'to' | undefined }
const sideOf = (text: string, it: Mention): Sided => {
  const before = text.slice(Math.max(0, it.from - 20), it.from)
  const side = besideNumber(text, it) ? 'from' : toLead.test(before) ? 'to' : fromLead.test(before) ? 'from' : undefined
  return { ...it, side }
}

/** Reads a start and an end from two fields with the same choices. */
const readPair = (filling: Filling, from: Slot, to: Slot): void => {
  const text = filling.page.rest()
  const all = mentionsIn(text, from).map(it => sideOf(text, it))
  const start = all.find(it => it.side === 'from') ?? all.find((it, at) => it.side === undefined && (all.length > 1 || at > 0))
  const end = all.find(it => it !== start && it.side === 'to') ?? all.find(it => it !== start && it.side === undefined)
  for (const [slot, it] of [
    [from, start],
    [to, end],
  ] as const)
    if (it && filling.give(slot, it.value)) filling.page.take(it.from, it.to)
}

const sameChoices = (a: Slot, b: Slot) => JSON.stringify(a.allowed) === JSON.stringify(b.allowed)

const compoundLetters = 3
/** A choice that a word begins with which goes on with a word of the listing: "moonrise", where something rises. */
const compoundOf = ({ page, isOwn }: Filling, slot: Slot): Mention | undefined => {
  const [only, ...others] = toTokens(page.rest()).flatMap(({ word, from, to }) =>
    slot.allowed.flatMap(value => {
      const start = String(value).toLowerCase()
      const isIt = start.length >= compoundLetters && word.startsWith(start) && word.length >= start.length + compoundLetters
      return isIt && isOwn(word.slice(start.length)) ? [{ value, from, to, isLoose: true }] : []
    }),
  )
  return others.length === 0 ? only : undefined
}

/** Fills fields with a fixed set of values. */
export const readChoices = (filling: Filling): void => {
  const slots = filling
    .open('choice')
    .filter(it => it.allowed.some(value => typeof value === 'string' && Number.isNaN(Number(value))))
  const paired = new Set<Slot>()
  for (const from of slots.filter(it => it.role === 'from')) {
    const to = filling.slots.find(it => it.role === 'to' && it.kind === 'choice' && sameChoices(it, from))
    if (!to || filling.values.has(to.name)) continue
    readPair(filling, from, to)
    paired.add(from).add(to)
  }
  for (const slot of slots) {
    if (paired.has(slot)) continue
    const text = filling.page.rest()
    const twin = filling.slots.some(it => it !== slot && it.kind === 'choice' && sameChoices(it, slot))
    const sided = slot.role
      ? mentionsIn(text, slot)
          .map(it => sideOf(text, it))
          .filter(it => it.side === slot.role || it.side === undefined)
      : []
    const apart = sided.filter(it => it.side === slot.role)
    const found = twin ? sided[0] : apart.length === 1 ? apart[0] : (oneOf(text, slot) ?? compoundOf(filling, slot))
    if (found && filling.give(slot, found.value)) filling.page.take(found.from, found.to)
  }
}

const negations = new Set(['no', 'not', 'without', 'don', 'dont', 'exclude', 'skip', 'never', 'isn', 'isnt', 'stop', 'avoid'])
const idle = new Set(['includ', 'enabl', 'us', 'allow', 'is', 'ha', 'want', 'need', 'with', 'should', 'flag'])

const stemLetters = 4
/** Whether a word is that of a name, which may be short for it: `stats` for "statistics". */
const isSaid = (said: string | undefined, word: string): boolean =>
  said === word || (word.length >= stemLetters && said !== undefined && said.startsWith(word))

/** Fills yes-or-no fields when the message contains the words of their names. A negation shortly before means no. */
export const readBooleans = (filling: Filling): void => {
  for (const slot of filling.open('boolean')) {
    const words = splitWords(slot.name)
      .map(stem)
      .filter(it => !idle.has(it))
    const tokens = toTokens(filling.page.rest())
    const at =
      words.length === 0
        ? -1
        : tokens.findIndex((_, index) => words.every((word, step) => isSaid(tokens[index + step]?.stem, word)))
    const [first, last] = [tokens[at], tokens[at + words.length - 1]]
    if (at < 0 || !first || !last) continue
    const isDenied = tokens
      .slice(Math.max(0, at - 5), at)
      .some((it, step, all) => negations.has(it.word) && all.slice(step).every(other => other.stem !== ''))
    const said = slot.allowed.find(it => /^(?:true|yes)$/i.test(String(it)) === !isDenied)
    if (filling.give(slot, said ?? !isDenied)) filling.page.take(first.from, last.to)
  }
}
