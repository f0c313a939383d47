import { stem } from '../../domain/stem.ts'
import { takeChain, takeDeadline } from '../../domain/wishes.ts'
import { splitWords, toMeaning, toTerms } from '../../domain/words.ts'
import type { Property } from '../requirement.ts'
import { withoutDates } from './dates.ts'
import { takePrice } from './phrases.ts'

const numberWords = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve'.split(' ').map((word, value) => [word, value]),
)
const magnitudes = new Map([
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
])
/** Words of a name that say only that it is a number. */
const emptyWords = new Set(
  'max min maximum minimum number num count total limit amount value size length many'.split(' ').map(stem),
)
/** Counting people, their seats and tickets is one thing: "for three people", "a party of 3". */
const people = 'people person traveler traveller guest passenger adult party diner attendee seat ticket'.split(' ').map(stem)
/** How far a number may stand from its word: "5 short bullets", "a height of about 5". */
const reach = { after: 2, before: 3 }
/** A shorter word begins too many others: "bed" is told by "bedrooms", "id" by nothing but "id". */
const shortestStart = 3

/** As much of a message as is searched for figures: behind it stands material. */
const figureChars = 4000

type Token = { value?: number; isPercent?: boolean; term: string; isBreak: boolean; isBare: boolean }

const pattern =
  /(?<![\p{L}\p{N}_.])(-?\d+(?:\.\d+)?)(\s?%| percent\b)?(?![\d_]|(?:st|nd|rd|th)\b)|(\p{L}[\p{L}\p{M}\p{N}]*)|([.,;:!?()[\]])/gu

const toToken = ([, digits, percent, word = '', mark = '']: RegExpMatchArray): Token => {
  const lower = word.toLowerCase()
  const value = digits === undefined ? numberWords.get(lower) : Number(digits)
  const isBreak = mark !== '' || lower === 'and' || lower === 'or' || lower === 'by'
  const isBare = mark !== '' || (word !== '' && value === undefined && toMeaning(word).length === 0)
  const term = word ? stem(splitWords(word)[0] ?? '') : ''
  return { ...(value !== undefined && { value }), ...(percent && { isPercent: true }), term, isBreak, isBare }
}

/** "100 million" is one number. */
const toTokens = (message: string): Token[] => {
  const clean = message.replace(/(?<=\d),(?=\d{3}\b)/g, '').replace(/(?<=[\s([=:]|^)[$€£]\s?(?=\d)/g, '')
  const tokens: Token[] = []
  for (const match of clean.matchAll(pattern)) {
    const last = tokens.at(-1)
    const factor = magnitudes.get((match[3] ?? '').toLowerCase())
    if (factor !== undefined && last?.value !== undefined) last.value *= factor
    else tokens.push(toToken(match))
  }
  return tokens
}

const isNumeric = ({ type, allowed }: Property) =>
  type === 'number' ||
  type === 'integer' ||
  (allowed.length > 0 && allowed.every(it => Number.isFinite(Number.parseFloat(String(it)))))

/** A property that takes one number, also as one of a choice of figures. */
export const takesNumber = isNumeric

const termsOf = (text: string) => toTerms(text).filter(term => !emptyWords.has(term))
const isMeant = (terms: string[], { term }: Token) =>
  terms.some(it => it === term || (it.length >= shortestStart && term.startsWith(it)))

/** Words between a number and the word that it belongs to, 0 beside each other; undefined when it belongs to none. */
const distance = (tokens: Token[], at: number, terms: string[]): number | undefined => {
  for (let step = 1; step <= reach.after; step += 1) {
    const token = tokens[at + step]
    if (!token || token.isBreak || token.value !== undefined) break
    if (isMeant(terms, token)) return step - 1
  }
  for (let step = 1; step <= reach.before; step += 1) {
    const token = tokens[at - step]
    if (!token || token.isBreak || token.value !== undefined) break
    if (isMeant(terms, token)) return step - 1
  }
  return undefined
}

const toValue = ({ value = 0, isPercent }: Token, { type, name, description }: Property): number =>
  isPercent && type === 'number' && !/percent|%/i.test(`${name} ${description}`) ? Number((value / 100).toPrecision(12)) : value

type Pair = { property: Property; at: number; cost: number }
/** A description has many words: it tells less than the name. */
const byDescription = 10

const pairsOf = (tokens: Token[], properties: Property[]): Pair[] => {
  const others = (property: Property) =>
    new Set(properties.filter(it => it !== property).flatMap(it => termsOf(`${it.name} ${it.description}`)))
  return properties.flatMap(property => {
    const shared = others(property)
    const own = termsOf(property.name)
    const name = own.some(it => people.includes(it)) ? [...own, ...people.filter(it => !shared.has(it))] : own
    const told = termsOf(property.description).filter(it => !shared.has(it))
    return tokens.flatMap(({ value }, at) => {
      if (value === undefined) return []
      const near = distance(tokens, at, name)
      const far = near === undefined ? distance(tokens, at, told) : undefined
      const cost = near ?? (far === undefined ? undefined : byDescription + far)
      return cost === undefined ? [] : [{ property, at, cost }]
    })
  })
}

/**
 * The numbers of a message, each given to the property whose word stands nearest to it. Figures that no word claims go to
 * required properties in the order of both, when there are as many of one as of the other. Prices and dates are no inputs.
 */
export const readNumbers = (message: string, properties: Property[]): Map<string, number> => {
  const wanted = properties.filter(isNumeric)
  if (wanted.length === 0) return new Map()
  const tokens = toTokens(withoutDates(takeChain(takeDeadline(takePrice(message.slice(0, figureChars)).rest).rest).rest))
  const given = new Map<string, number>()
  const used = new Set<number>()
  const give = (property: Property, at: number) => {
    const token = tokens[at]
    const value = token && toValue(token, property)
    if (value === undefined || used.has(at) || given.has(property.name) || !fitsAsNumber(property, value)) return
    given.set(property.name, value)
    used.add(at)
  }
  for (const { property, at } of pairsOf(tokens, wanted).sort((a, b) => a.cost - b.cost)) give(property, at)
  const open = wanted.filter(it => it.required && !given.has(it.name) && it.allowed.length === 0)
  const bare = tokens.flatMap(({ value }, at) =>
    value !== undefined && !used.has(at) && (tokens[at + 1]?.isBare ?? true) ? [at] : [],
  )
  const [only, ...others] = open
  const left = tokens.flatMap(({ value }, at) => (value !== undefined && !used.has(at) ? [at] : []))
  // "Convert 100 USD": an amount has no word of its own, so the only figure is meant.
  if (only && others.length === 0 && left.length === 1 && termsOf(only.name).length === 0) give(only, left[0] ?? -1)
  if (open.length === bare.length) for (const [index, property] of open.entries()) give(property, bare[index] ?? -1)
  return given
}

/** As a number, or as the figure that a choice writes as text. */
export const fitsAsNumber = (property: Property, value: number) => property.fits(value) || property.fits(String(value))

/** Every number that a text says, as it stands and as the share that a percentage is. */
export const spokenNumbers = (said: string): Set<number> =>
  new Set(
    toTokens(said.slice(0, figureChars))
      .flatMap(({ value, isPercent }) =>
        value === undefined ? [] : isPercent ? [value, Number((value / 100).toPrecision(12))] : [value],
      )
      .concat((said.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number)),
  )
