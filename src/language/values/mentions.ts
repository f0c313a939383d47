import type { Json } from '../../domain/json.ts'
import { distance, editsOf } from '../../domain/text/spelling.ts'
import type { Slot } from '../fields/fields.ts'
import { isDegreeOf } from '../words/degrees.ts'
import { isEnglish } from '../words/englishWords.ts'
import { countries, currencies, findNames, languages } from '../words/intl.ts'
import { unitOf } from '../words/measures.ts'
import { numeral } from '../words/numerals.ts'
import { stem } from '../words/stem.ts'
import type { Token } from '../words/tokens.ts'
import { isDeed } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'

// Finds where a text mentions a value of a fixed set: by its words, their stems or with a small typo.

export type Mention = { value: Json; from: number; to: number; isLoose: boolean }

const shortLetters = 4
/** Edits that a typo may have. A short word is a typo only if it is no word itself. */
const editsFor = (said: string, wanted: string): number =>
  editsOf(wanted) || (wanted.length === shortLetters && said.length === shortLetters && !isEnglish(said) ? 1 : 0)

/** A shortened choice is no other word: "insta" for Instagram. */
const isShortened = (said: string, wanted: string): boolean =>
  said.length >= shortLetters && said.length < wanted.length && wanted.startsWith(said) && !isEnglish(said)

const day = /^(mon|tue|wed|thu|fri|sat|sun)(?:day|sday|nesday|rsday|urday)$/
/** "Sundays" means the choice "sun". */
const isDay = (token: Token, word: string): boolean => day.exec(token.word.replace(/s$/, ''))?.[1] === word

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
  token.word === word ||
  isDay(token, word) ||
  (token.stem === stem(word) && !isDeed(token.word) && isPerson(word) === isPerson(token.word))
const isPerson = (word: string) => /(?:er|or|ee|ist|ian)s?$/.test(word)

/** Choices by their short names, as they are said in words. */
const spoken = new Map<string, string>([
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
    ['js', 'javascript'],
    ['ts', 'typescript'],
    ['py', 'python'],
    ['go', 'golang'],
    ['mono', 'black and white|b w|bw'],
    ['bw', 'black and white|b w'],
    ['express', 'as fast as possible|as quickly as possible'],
    ['economy', 'as cheap as possible|as cheaply as possible'],
    ['tbsp', 'tablespoon|tablespoons'],
    ['tsp', 'teaspoon|teaspoons'],
    ['c', 'celsius'],
    ['f', 'fahrenheit'],
    ['greyscale', 'black and white|b w|bw'],
    ['duplex', 'double sided|two sided|both sides'],
    ['simplex', 'single sided|one sided|one side'],
  ] as const),
])

const isAmount = new RegExp(`^(?:${numeral}|many|an?)$`, 'iu')
/** The places of a measure behind a number or "many", however it is written: "20 grams" for `g`. */
const unitsIn = (tokens: Token[], value: Json): Mention[] => {
  const unit = /^(?:g|\p{L}{2,4})$/u.test(String(value)) ? unitOf(String(value)) : undefined
  const isSame = ({ word }: Token) => unitOf(word)?.dimension === unit?.dimension && unitOf(word)?.factor === unit?.factor
  if (!unit || !/^(?:weight|length|volume|area|data)$/.test(unit.dimension)) return []
  return tokens
    .filter((it, at) => isSame(it) && isAmount.test(tokens[at - 1]?.word ?? ''))
    .map(({ from, to }) => ({ value, from, to, isLoose: false }))
}

/** The places where a text mentions one choice of a field. */
export const mentionsOf = (tokens: Token[], value: Json, slot: Slot): Mention[] => {
  // Words of the field's own name and description count as spelled correctly: "price" is not a typo of "pricey".
  const near = (token: Token, word: string) =>
    exact(token, word) ||
    (token.stem !== '' && !slot.terms.includes(token.stem) && (isNear(token.word, word) || isShortened(token.word, word)))
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
  // Matches a choice without its separator: "lowcarb" for "low-carb".
  const joined =
    words.length > 1
      ? tokens.filter(it => it.word === words.join('')).map(it => ({ value, from: it.from, to: it.to, isLoose: false }))
      : []
  const spelt = (spoken.get(words.join(''))?.split('|') ?? []).flatMap(way => {
    const said = way.split(' ')
    return tokens.flatMap((first, at) => {
      const last = tokens[at + said.length - 1]
      const isSaid = said.every((it, step) => tokens[at + step]?.word === it)
      return isSaid && last ? [{ value, from: first.from, to: last.to, isLoose: false }] : []
    })
  })
  const all = [
    ...found,
    ...joined,
    ...degrees.map(({ from, to }) => ({ value, from, to, isLoose: false })),
    ...spelt,
    ...unitsIn(tokens, value),
  ]
  return all.length > 0 ? all : find(near, true)
}

/** Finds currencies, languages and countries by name when the choices are their codes. */
export const namedMentions = (text: string, { allowed }: Slot): Mention[] => {
  const byCode = new Map(allowed.map(it => [String(it).toLowerCase(), it]))
  const isCurrency = allowed.filter(it => /^[A-Z]{3}$/.test(String(it))).length > 1
  const languageCodes = allowed.map(
    it => /^[a-z]{2}(?=[-_][A-Z]{2}$)/.exec(String(it))?.[0] ?? languages().get(String(it).toLowerCase()),
  )
  const isCountry = allowed.length > 1 && allowed.every(it => /^[A-Z]{2}$/.test(String(it)))
  const table = isCountry
    ? countries()
    : isCurrency
      ? currencies()
      : allowed.every(it => /^[a-z]{2}$/.test(String(it))) || languageCodes.some(it => it)
        ? languages()
        : undefined
  if (!table) return []
  for (const [at, code] of languageCodes.entries())
    if (code && !isCurrency && !byCode.has(code)) byCode.set(code, allowed[at] ?? null)
  return findNames(text, table).flatMap(({ from, length, code }) => {
    const value = byCode.get(code.toLowerCase())
    return value === undefined ? [] : [{ value, from, to: from + length, isLoose: false }]
  })
}
