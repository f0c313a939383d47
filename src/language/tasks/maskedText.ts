import { countries, plain as toPlain } from '../words/intl.ts'

// What looks like a value and is none: ordinal words, exponents of units, a count of what follows, the name of the offering.

const blank = (text: string, pattern: RegExp): string => text.replace(pattern, it => ' '.repeat(it.length))
const exponents = /(?<=\p{L})\^-?\d/gu
const counted = /(?<!\p{L})(?:two|three|four|five|six|seven|eight|both)(?= (?:[\p{L}-]+ ){0,3}[\p{L}-]+s(?!\p{L}))/giu
const fewest = 2
const ordinals = /(?<!\p{L})(?:first|second|third|fourth|fifth|sixth|seventh|eighth)(?= \p{L})/giu
/** A text without the words that only count its records. */
export const withoutOrdinals = (text: string): string => blank(text, ordinals)

const year = /^\d{4}(?!\d)/
const month = /^(?:(?:jan|febr)uary|march|april|may|june|july|august|(?:sept|nov|dec)ember|october)(?!\p{L})/iu
const state = /^\p{Lu}{2}(?!\p{L})/u
const words = /^\p{Lu}[\p{L} .]{1,30}/u
/** Whether what follows a comma belongs to the place or the date before it. */
export const isPartOfValue = (text: string): boolean =>
  year.test(text) ||
  month.test(text) ||
  state.test(text) ||
  countries().has(toPlain((words.exec(text)?.[0] ?? '').replace(/ (?:from|with|on|in|for|and) .*/, '')))

/** A text without such words, at the same places. Where it has numbers in digits, a number in words counts something. */
export const masked = (text: string, name: string): string => {
  const own = name.length > 3 ? text.replaceAll(name, ' '.repeat(name.length)) : text
  const plain = blank(own, exponents)
  return (plain.match(/\d+/g) ?? []).length >= fewest ? blank(plain, counted) : plain
}

const numbers = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
/** Whether a text says in words that there are so many: "two circles". */
export const counts = (text: string, count: number): boolean =>
  (text.match(counted) ?? []).some(it => numbers.indexOf(it.toLowerCase()) === count)
