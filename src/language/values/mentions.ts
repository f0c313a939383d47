import type { Json } from '../../domain/json.ts'
import { distance, editsOf } from '../../domain/text/spelling.ts'
import type { Slot } from '../fields/fields.ts'
import { isDegreeOf } from '../words/degrees.ts'
import { isEnglish } from '../words/englishWords.ts'
import { countries, countryOfPeople, currencies, findNames, languages } from '../words/intl.ts'
import { unitOf } from '../words/measures.ts'
import { numeral } from '../words/numerals.ts'
import { stem } from '../words/stem.ts'
import type { Token } from '../words/tokens.ts'
import { isDeed } from '../words/vocabulary.ts'
import { isStopWord, splitWords } from '../words/words.ts'

// Finds where a text mentions a value of a fixed set: by its words, their stems or with a small typo.

/** `isLeftOut`: the choice is what is said to be left out. */
export type Mention = { value: Json; from: number; to: number; isLoose: boolean; isLeftOut?: boolean }

const shortLetters = 4
/** Edits that a typo may have. A short word is a typo only if it is no word itself. */
const editsFor = (said: string, wanted: string): number =>
  editsOf(wanted) || (wanted.length === shortLetters && said.length === shortLetters && !isEnglish(said) ? 1 : 0)

/** What people call some choices. */
const shortNames: Record<string, string> = { insta: 'instagram', ig: 'instagram', fb: 'facebook', yt: 'youtube', gh: 'github' }

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
  shortNames[token.word] === word ||
  isDay(token, word) ||
  (token.stem === stem(word) && !isDeed(token.word) && isPerson(word) === isPerson(token.word))
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

const mostGlossary = 12
/** What the description of a field says for its choices: "simplex = one side, duplex = both sides", or all of them in their order. */
const glossaryOf = (slot: Slot): Map<string, string[]> => {
  const known = glossaries.get(slot)
  if (known) return known
  const glossary = readGlossary(slot)
  glossaries.set(slot, glossary)
  return glossary
}
const glossaries = new WeakMap<Slot, Map<string, string[]>>()

const explained = /(?<![\p{L}\p{N}])(?<short>[\p{L}\p{N}_+-]{1,30})\s?(?:=|:|\(|means|is for)\s?(?<long>\p{L}[^,.;=()]{1,40})/giu
const readGlossary = ({ allowed, description }: Slot): Map<string, string[]> => {
  const all = allowed.slice(0, mostGlossary).map(String)
  const told = [...description.matchAll(explained)].flatMap(({ groups: { short = '', long = '' } = {} }) => {
    const it = all.find(one => one.toLowerCase() === short.toLowerCase())
    return it === undefined ? [] : [[it, splitWords(long)] as const]
  })
  const list = description.split(/[:;]|, (?:or |and )?| or /).map(it => splitWords(it))
  const inOrder = all.flatMap(it => {
    const short = it.toLowerCase()
    const words = list.find(one =>
      one.length > 1
        ? one.length === it.length && one.map(word => word.charAt(0)).join('') === short
        : it.length < 4 && one[0] !== short && one[0]?.startsWith(short),
    )
    return words ? [[it, words] as const] : []
  })
  return new Map([...inOrder, ...told])
}

/** Choices that the text says in the words of the description. */
const toldIn = (tokens: Token[], value: Json, slot: Slot): Mention[] => {
  const words =
    glossaryOf(slot)
      .get(String(value))
      ?.filter(it => !isStopWord(it) || it === 'both') ?? []
  if (words.length === 0) return []
  return tokens.flatMap((first, at) => {
    const all = tokens.slice(at, at + words.length)
    const isSaid = words.every((word, step) => all[step] && stem(word) === all[step].stem)
    return isSaid ? [{ value, from: first.from, to: all.at(-1)?.to ?? first.to, isLoose: false }] : []
  })
}

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
  const period = periods.get(words.join(''))
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
    ...whole,
    ...spelt,
    ...leftOutIn(tokens, value),
    ...toldIn(tokens, value, slot),
    ...unitsIn(tokens, value),
    ...(period ? everyIn(tokens, value, period) : []),
  ]
  return all.length > 0 ? all : find(near, true)
}

/** Words such as "French" with the country that they speak of. */
const peopleIn = (text: string) =>
  [...text.matchAll(/\p{Lu}\p{L}+/gu)].flatMap(({ index: from, 0: said }) => {
    const code = countryOfPeople(said)
    return code === undefined ? [] : [{ from, length: said.length, code }]
  })

/** Finds currencies, languages and countries by name when the choices are their codes. */
export const namedMentions = (text: string, { allowed }: Slot): Mention[] => {
  const byCode = new Map(allowed.map(it => [String(it).toLowerCase(), it]))
  const isCurrency = allowed.filter(it => /^[A-Z]{3}$/.test(String(it))).length > 1
  const languageCodes = allowed.map(
    it => /^[a-z]{2}(?=[-_][A-Z]{2}$)/.exec(String(it))?.[0] ?? languages().get(String(it).toLowerCase()),
  )
  const countryCodes = allowed.map(it => countries().get(String(it).toLowerCase()))
  const areNamed = countryCodes.filter(it => it).length > 1
  const isCountry = areNamed || (allowed.length > 1 && allowed.every(it => /^[A-Z]{2}$/.test(String(it))))
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
  for (const [at, code] of countryCodes.entries()) if (code && areNamed) byCode.set(code.toLowerCase(), allowed[at] ?? null)
  return [...findNames(text, table), ...(isCountry ? peopleIn(text) : [])].flatMap(({ from, length, code }) => {
    const value = byCode.get(code.toLowerCase())
    return value === undefined ? [] : [{ value, from, to: from + length, isLoose: false }]
  })
}
