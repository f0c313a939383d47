import { readFileSync } from 'node:fs'
import { countries, plain } from './intl.ts'

// Places that are known by name: countries and regions (CLDR), the cities of IANA time zones, and a list of cities.

/** One spelling of a name: "St. Kitts & Nevis" and "saint kitts and nevis" are one. */
const toKey = (name: string): string =>
  plain(name)
    .replaceAll('&', ' and ')
    .replace(/[.'’]/g, '')
    .replace(/(?<!\p{L})saint(?!\p{L})/gu, 'st')
    .replace(/(?<!\p{L})the(?!\p{L})/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()

let known: ReadonlySet<string> | undefined
const names = (): ReadonlySet<string> => {
  known ??= new Set(
    [
      ...countries().keys(),
      ...Intl.supportedValuesOf('timeZone').map(it => (it.split('/').at(-1) ?? it).replaceAll('_', ' ')),
      ...readFileSync(new URL('../../../prompts/plans/places.txt', import.meta.url), 'utf8').split('\n'),
    ]
      .map(toKey)
      .filter(it => it !== ''),
  )
  return known
}

/** A pattern for the names that have "and" in them, in upper or lower case. */
export const joinedNames = (): string =>
  [...names()]
    .filter(it => / and /.test(it))
    .sort((a, b) => b.length - a.length)
    .map(it =>
      it
        .split(' ')
        .map(word => patternOf(word))
        .join(' '),
    )
    .join('|')

const patternOf = (word: string): string => {
  if (word === 'and') return '(?:and the|and|&)'
  if (word === 'st') return String.raw`(?:[Ss]t\.?|[Ss]aint)`
  const [first = ''] = word
  return `[${first.toUpperCase()}${first}]${word.slice(1)}`
}

/** Whether a text is the name of a place, alone or with its country or state: "Paris, France". */
export const isKnownPlace = (text: string): boolean => {
  const [name = ''] = text.split(',')
  return [text, name, name.replace(/\s+\p{Lu}{2}$/u, '')].some(it => names().has(toKey(it)))
}

const mostWords = 7
/** A text with more of these is no question for a place, and the time of the reading is bounded. */
const mostJoints = 40
const joint = /(?<!\p{L})(?:and|&)(?!\p{L})|&/giu
const words = /[\p{L}\p{M}.'’]+/gu

/** "Institute of Arts and Crafts": a name of a name and another one. Two places are two: "the Bank of England and Japan". */
const institution = /(?<=\p{Ll} )\p{Lu}[\p{L}'’]+ of (?:the )?\p{Lu}[\p{L}'’]+ (?:and|&) (\p{Lu}[\p{L}'’]+)/gu
const findInstitutions = (text: string): { from: number; to: number }[] =>
  [...text.matchAll(institution)].flatMap(({ 0: said, 1: last = '', index: from }) =>
    isKnownPlace(last) ? [] : [{ from, to: from + said.length }],
  )

/**
 * The places of names that have "and" in them, such as "Bosnia and Herzegovina": where each "and" of the text is a part of a
 * name, it joins nothing.
 */
export const findJoinedNames = (text: string): { from: number; to: number }[] => [
  ...findInstitutions(text),
  ...findJoinedPlaces(text),
]

const findJoinedPlaces = (text: string): { from: number; to: number }[] =>
  [...text.matchAll(joint)].slice(0, mostJoints).flatMap(({ 0: said, index }) => {
    const before = [...text.slice(0, index).matchAll(words)].slice(-mostWords)
    const end = index + said.length
    const after = [...text.slice(end).matchAll(words)].slice(0, mostWords)
    for (const { index: from } of before)
      for (const last of after.toReversed()) {
        const to = end + last.index + last[0].length
        const name = text.slice(from, to).replace(/[.'’]+$/, '')
        if (!/[,;\n]/.test(name) && names().has(toKey(name))) return [{ from, to: from + name.length }]
      }
    return []
  })
