import type { Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import { numeral } from '../words/numerals.ts'
import { stem } from '../words/stem.ts'
import { type Token, toTokens } from '../words/tokens.ts'
import { isDeed, isEmpty } from '../words/vocabulary.ts'
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

const partStart = /(?:^|[,;.:!?\n]|\d(?= +and ))\s*(?:(?:and|but|very|rather|only|just|a|please)\s+){0,2}$/i
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
  const before = text.slice(Math.max(0, mention.from - 20), mention.from)
  const isAlone = splitWords(text.replaceAll('\uE000', ' ')).length <= words.length + 2
  const isPlaced =
    /\b(?:in|on|with|for|use|using|was|am|as|via|make it|but)\s+(?:an?\s+|the\s+)?(?:(?:plain|pure|solid|bright)\s+)?$/i.test(
      before,
    ) && words.length === 1
  const after = text.slice(mention.to, mention.to + 12)
  return (
    isAlone ||
    isApart(text, mention) ||
    around.some(it => own.has(it)) ||
    (isPlaced && !/^\s+(?!(?:and|but|so|please|because|if|when)\b)\p{L}/u.test(after)) ||
    // "30 hard questions", "thirty black pens", "his left ankle" where the ankle is a value
    counted.test(before) ||
    /^\s?\uE000/.test(after) ||
    (isPlaced && slot.required) ||
    (slot.required && !/^(?:any|all|first|go|other|none|yes|no)$/.test(words.join(' ')))
  )
}

const counted = new RegExp(String.raw`(?:\uE000|(?<![\p{L}\p{N}])${numeral})\s$`, 'iu')

const pronouns = /^(?:us|it|in|is|as|or)$/
/** One or two letters are a code in capitals or alone. In a sentence they are a word: "it", "in", "a". */
const isNoOtherWord = (text: string, { from, to }: Mention, slot: Slot): boolean => {
  const said = text.slice(from, to)
  return (
    (!slot.allowed.every(it => /^[a-z]{1,3}$/i.test(String(it))) && !pronouns.test(said)) ||
    said.length > 2 ||
    // An ending, such as ".eu".
    text[from - 1] === '.' ||
    said === said.toUpperCase() ||
    splitWords(text).length < 2
  )
}

/** A choice that ends with a sign, such as "C#", is said with it. */
const withSign = (text: string, it: Mention): Mention[] => {
  const [sign = ''] = /[^\p{L}\p{N}\s_)-]+$/u.exec(String(it.value)) ?? []
  return text.startsWith(sign, it.to) ? [{ ...it, to: it.to + sign.length }] : []
}

/** Returns the choices of a field that a text means, in order. */
export const mentionsIn = (text: string, slot: Slot): Mention[] => {
  const tokens = toTokens(text)
  const plain = slot.allowed
    .flatMap(it => (typeof it === 'string' && !/^\d+(?:\.\d+)?$/.test(it) ? mentionsOf(tokens, it, slot) : []))
    .flatMap(it => withSign(text, it))
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

const wishing =
  /(?<!\p{L})(?:(?:i|we)(?: (?:only|just|really))? (?:need|want)|(?:i|we)(?:['’]d| would) like|please|can you|could you)(?!\p{L})/iu
const sentenceAround = (text: string, { from, to }: Mention): string => {
  const [before = ''] = text
    .slice(0, from)
    .split(/[.!?](?=\s)/)
    .slice(-1)
  return before + text.slice(from, to) + (text.slice(to).split(/[.!?](?:\s|$)/)[0] ?? '')
}

/** Returns the one choice that a text means: the only one, the one that a sentence wishes, or the one beside the field's name. */
const oneOf = (text: string, slot: Slot): Mention | undefined => {
  const all = mentionsIn(text, slot)
  const [first] = all
  if (!first || all.every(it => it.value === first.value)) return first
  const asked = new Set(all.filter(it => wishing.test(sentenceAround(text, it))).map(it => it.value))
  if (asked.size === 1) return all.find(it => asked.has(it.value))
  const name = new Set(splitWords(slot.name).map(stem))
  const isName = (it: Token | undefined) =>
    it !== undefined && (name.has(it.stem) || /^(?:sort|kind|type|version)s?$/.test(it.word))
  const beside = all.filter(({ from, to }) => {
    const before = toTokens(text.slice(Math.max(0, from - 16), from)).filter(it => !/^(?:of|is|the|in)$/.test(it.word))
    return isName(toTokens(text.slice(to, to + 16))[0]) || isName(before.at(-1))
  })
  return beside.length === 1 ? beside[0] : undefined
}

const fromLead = /\b(?:from|of|out of|have|sell|selling|change|exchange|convert)\s+(?:my |the |some )?$/i
const toLead = /(?:\b(?:to|too|into|in|for|as|buy|get|=)|[→>])\s+(?:the |some )?$/i
const besideNumber = (text: string, { from, to }: Mention) =>
  /[\d]\s?$|\b(?:hundred|thousand|million|dozen|half|quarter|an?|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)\s$/i.test(
    text.slice(Math.max(0, from - 10), from),
  ) || /^\s?\d/.test(text.slice(to, to + 2))

type Sided = Mention & { side: 'from' | 'to' | undefined }
const sideOf = (text: string, it: Mention): Sided => {
  const before = text.slice(Math.max(0, it.from - 20), it.from)
  // "How many grams are 2 cups" asks for grams.
  const side = /\b(?:many|much)\s+$/i.test(before)
    ? 'to'
    : besideNumber(text, it)
      ? 'from'
      : toLead.test(before)
        ? 'to'
        : fromLead.test(before)
          ? 'from'
          : undefined
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

/** The only choice of which the text says a word that no other choice has: "the key snapped off" for `broken_key`. */
const partOf = (text: string, slot: Slot): Mention | undefined => {
  const words = slot.allowed.map(it => splitWords(String(it)).map(stem))
  const count = (word: string) => words.filter(it => it.includes(word)).length
  const found = slot.allowed.flatMap((value, at) => {
    const own = (words[at] ?? []).filter(it => it.length > 2 && count(it) === 1 && !common.has(it) && !isEmpty(it))
    const token = (words[at] ?? []).length > 1 ? toTokens(text).find(it => own.includes(it.stem) && !isDeed(it.word)) : undefined
    return token && !isDenied(text, { value, from: token.from, to: token.to, isLoose: true })
      ? [{ value, from: token.from, to: token.to, isLoose: true }]
      : []
  })
  return found.length === 1 ? found[0] : undefined
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
  // A field with one meant choice takes its words first, so that they are no choice of another field.
  const before = filling.page.rest()
  const meantOf = new Map(slots.map(it => [it, new Set(mentionsIn(before, it).map(one => one.value)).size]))
  for (const slot of slots.toSorted((a, b) => Number(meantOf.get(a) !== 1) - Number(meantOf.get(b) !== 1))) {
    if (paired.has(slot)) continue
    const text = filling.page.rest()
    const twin = filling.slots.some(it => it !== slot && it.kind === 'choice' && sameChoices(it, slot))
    const sided = slot.role
      ? mentionsIn(text, slot)
          .map(it => sideOf(text, it))
          .filter(it => it.side === slot.role || it.side === undefined)
      : []
    const apart = sided.filter(it => it.side === slot.role)
    const found = twin
      ? sided[0]
      : apart.length === 1
        ? apart[0]
        : (oneOf(text, slot) ?? (slot.required ? partOf(text, slot) : undefined))
    if (found && filling.give(slot, found.value)) filling.page.take(found.from, found.to)
  }
}
