import { stem } from '../../domain/stem.ts'
import { splitWords, toTerms } from '../../domain/words.ts'
import type { Property } from '../requirement.ts'
import { takePrice } from './phrases.ts'

const numberWords = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']
/** Words of a name that say only that it is a number. */
const emptyWords = new Set(
  [
    'max',
    'min',
    'maximum',
    'minimum',
    'number',
    'num',
    'count',
    'total',
    'limit',
    'amount',
    'valu',
    'size',
    'length',
    'mani',
  ].map(stem),
)
/** How far a number may stand from its unit: "5 short bullets", "bullets: about 5". */
const reach = 2

const token = /(\d+(?:\.\d+)?)|(\p{L}[\p{L}\p{M}]*)/gu
const toTokens = (message: string) =>
  [...message.replace(/(?<=\d),(?=\d{3}\b)/g, '').matchAll(token)].map(([, digits, word = '']) => {
    const named = numberWords.indexOf(word.toLowerCase())
    return { value: digits ? Number(digits) : named >= 0 ? named : undefined, term: stem(splitWords(word)[0] ?? '') }
  })

const near = (message: string, terms: Set<string>): number[] => {
  const tokens = toTokens(message)
  return tokens.flatMap(({ value }, at) => {
    if (value === undefined) return []
    const after = tokens.slice(at + 1, at + 1 + reach)
    const before = tokens.slice(Math.max(0, at - reach), at)
    // "3 days and 2 guests": what another number stands before belongs to that one.
    const own = after.slice(0, after.findIndex(it => it.value !== undefined) >>> 0)
    return own.some(it => terms.has(it.term)) || before.some(it => terms.has(it.term) && it.value === undefined) ? [value] : []
  })
}

/** Numbers beside the property's name, then beside a word of its description. Prices are no inputs. */
export const readNumber = (message: string, { name, description }: Property): number[] => {
  const { rest } = takePrice(message)
  const own = (text: string) => new Set(toTerms(text).filter(term => !emptyWords.has(term)))
  return [...near(rest, own(name)), ...near(rest, own(description))]
}
