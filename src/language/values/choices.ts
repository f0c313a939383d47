import type { Json } from '../../domain/json.ts'
import { distance, editsOf } from '../../domain/text/spelling.ts'
import type { Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import { isDegreeOf } from '../words/degrees.ts'
import { isEnglish } from '../words/englishWords.ts'
import { countries, currencies, findNames, languages } from '../words/intl.ts'
import { stem } from '../words/stem.ts'
import { type Token, toTokens } from '../words/tokens.ts'
import { isDeed } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'

// Reads fields with a fixed set of values. A value matches by its words, their stems or with a small typo. A value after "not"
// is excluded.

/** `isLeftOut`: the choice is what is said to be left out. */
type Mention = { value: Json; from: number; to: number; isLoose: boolean; isLeftOut?: boolean }

/**
 * Common words that often are not meant as a choice. They need a word of their field beside them, or must be the whole message.
 */
const common = new Set(
  splitWords(
    'any all first go other none base light dark full quick open point back low high new long short best free right left white black one both mixed up down hard main read page standard default basic fast slow large small cold hot yes no true false',
  ),
)
const shortLetters = 4
/** Edits that a typo may have. A short word is a typo only if it is no word itself. */
const editsFor = (said: string, wanted: string): number =>
  editsOf(wanted) || (wanted.length === shortLetters && said.length === shortLetters && !isEnglish(said) ? 1 : 0)

/**
 * Whether a word is a typo of a choice. A longer word that starts with the choice is a different word: "Germany" is not
 * "German".
 */
const isNear = (said: string, wanted: string): boolean =>
  editsFor(said, wanted) > 0 &&
  said.charAt(0) === wanted.charAt(0) &&
  !said.startsWith(wanted) &&
  distance(said, wanted, editsFor(said, wanted)) <= editsFor(said, wanted)

const startsWith = (tokens: Token[], words: string[], isSame: (token: Token, word: string) => boolean) =>
  words.every((word, step) => {
    const token = tokens[step]
    return token !== undefined && isSame(token, word)
  })

// "Check my account" does not name a checking account.
const exact = (token: Token, word: string) =>
  token.word === word || (token.stem === stem(word) && !isDeed(token.word) && isPerson(word) === isPerson(token.word))
const isPerson = (word: string) => /(?:er|or|ee|ist|ian)s?$/.test(word)

const isPair = (first: Token, second: Token | undefined, word = ''): boolean =>
  second !== undefined && first.word.length > 2 && second.word.length > 2 && `${first.word}${second.word}` === word

const leavingOut = /^(?:no|not|without|cannot|can|don|avoid|avoiding|never|hates?|allergic|intolerant)$/
const leavingOutAfter = /^(?:allergy|allergies|allergic|intolerance|intolerant)$/
/** "No gluten" and "allergic to nuts" mean the choices "gluten-free" and "nut-free". */
const leftOutIn = (tokens: Token[], value: Json): Mention[] => {
  const [what = '', free, ...more] = splitWords(String(value))
  if (free !== 'free' || more.length > 0) return []
  return tokens.flatMap(({ stem: it, from, to }, at) => {
    const isLed = tokens.slice(Math.max(0, at - 4), at).some(({ word }) => leavingOut.test(word))
    const isSaid = it === stem(what) && (isLed || leavingOutAfter.test(tokens[at + 1]?.word ?? ''))
    return isSaid ? [{ value, from, to, isLoose: false, isLeftOut: true }] : []
  })
}

/** Sizes by their letters, as they are said in words. */
const sizes = new Map<string, string>([
  ...([
    ['xxs', 'extra extra small'],
    ['xs', 'extra small'],
    ['s', 'small'],
    ['m', 'medium'],
    ['l', 'large'],
  ] as const),
  ...([
    ['xl', 'extra large'],
    ['xxl', 'extra extra large'],
  ] as const),
])

/** Choices that say how often, with their period. */
const periods = new Map(
  'hourly hour,daily day,nightly night,weekly week,monthly month,yearly year,annually year'
    .split(',')
    .map(it => it.split(' ') as [string, string]),
)
/** "Every day" and "twice a day" are daily. */
const everyIn = (tokens: Token[], value: Json, period: string): Mention[] =>
  tokens.flatMap(({ word, to }, at) => {
    const [before, times] = [tokens[at - 1], tokens[at - 2]]
    const isEvery =
      /^(?:every|each|per)$/.test(before?.word ?? '') ||
      (before?.word === 'a' && /^(?:once|twice|times?)$/.test(times?.word ?? ''))
    return word === period && before && isEvery ? [{ value, from: before.from, to, isLoose: false }] : []
  })

const mentionsOf = (tokens: Token[], value: Json, slot: Slot): Mention[] => {
  // Words of the field's own name and description count as spelled correctly: "price" is not a typo of "pricey".
  const near = (token: Token, word: string) =>
    exact(token, word) || (token.stem !== '' && !slot.terms.includes(token.stem) && isNear(token.word, word))
  const words = splitWords(String(value))
  if (words.length === 0) return []
  const find = (isSame: typeof exact, isLoose: boolean) =>
    tokens.flatMap((first, at) => {
      if (!startsWith(tokens.slice(at, at + words.length), words, isSame)) return []
      return [{ value, from: first.from, to: tokens[at + words.length - 1]?.to ?? first.to, isLoose }]
    })
  const found = find(exact, false)
  // "The largest" of some sizes is the one that is called large.
  const degrees = words.length === 1 ? tokens.filter(it => isDegreeOf(it.word, words[0] ?? '', 'most')) : []
  const pairs =
    words.length === 1
      ? tokens.flatMap((it, at) => (isPair(it, tokens[at + 1], words[0]) ? [[it, tokens[at + 1] ?? it] as const] : []))
      : []
  // Matches a choice without its separator: "lowcarb" for "low-carb", or with one more: "low carb" for "lowcarb".
  const joined =
    words.length > 1
      ? tokens.filter(it => it.word === words.join('')).map(it => ({ value, from: it.from, to: it.to, isLoose: false }))
      : []
  const whole = [
    ...degrees.map(({ from, to }) => ({ value, from, to, isLoose: false })),
    ...pairs.map(([{ from }, { to }]) => ({ value, from, to, isLoose: false })),
  ]
  const sized = sizes.get(words.join(''))?.split(' ') ?? []
  const period = periods.get(words.join(''))
  const spelt = tokens.flatMap((first, at) => {
    const last = tokens[at + sized.length - 1]
    const isSaid = sized.length > 0 && sized.every((it, step) => tokens[at + step]?.word === it)
    return isSaid && last ? [{ value, from: first.from, to: last.to, isLoose: false }] : []
  })
  const all = [
    ...found,
    ...joined,
    ...whole,
    ...spelt,
    ...leftOutIn(tokens, value),
    ...(period ? everyIn(tokens, value, period) : []),
  ]
  return all.length > 0 ? all : find(near, true)
}

/** Finds currencies, languages and countries by name when the choices are their codes. */
const namedMentions = (text: string, { allowed }: Slot): Mention[] => {
  const byCode = new Map(allowed.map(it => [String(it).toLowerCase(), it]))
  const isCurrency = allowed.filter(it => /^[A-Z]{3}$/.test(String(it))).length > 1
  const languageCodes = allowed.map(it => languages().get(String(it).toLowerCase()))
  const isCountry = allowed.length > 1 && allowed.every(it => /^[A-Z]{2}$/.test(String(it)))
  const table = isCountry
    ? countries()
    : isCurrency
      ? currencies()
      : allowed.every(it => /^[a-z]{2}$/.test(String(it))) || languageCodes.some(it => it)
        ? languages()
        : undefined
  if (!table) return []
  for (const [at, code] of languageCodes.entries()) if (code && !isCurrency) byCode.set(code, allowed[at] ?? null)
  return findNames(text, table).flatMap(({ from, length, code }) => {
    const value = byCode.get(code.toLowerCase())
    return value === undefined ? [] : [{ value, from, to: from + length, isLoose: false }]
  })
}

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

/** Fills yes-or-no fields when the message contains the words of their names. A negation shortly before means no. */
export const readBooleans = (filling: Filling): void => {
  for (const slot of filling.open('boolean')) {
    const words = splitWords(slot.name)
      .map(stem)
      .filter(it => !idle.has(it))
    const tokens = toTokens(filling.page.rest())
    const at =
      words.length === 0 ? -1 : tokens.findIndex((_, index) => words.every((word, step) => tokens[index + step]?.stem === word))
    const [first, last] = [tokens[at], tokens[at + words.length - 1]]
    if (at < 0 || !first || !last) continue
    const isDenied = tokens
      .slice(Math.max(0, at - 5), at)
      .some((it, step, all) => negations.has(it.word) && all.slice(step).every(other => other.stem !== ''))
    const said = slot.allowed.find(it => /^(?:true|yes)$/i.test(String(it)) === !isDenied)
    if (filling.give(slot, said ?? !isDenied)) filling.page.take(first.from, last.to)
  }
}
