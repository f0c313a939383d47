import { type Unit, unitOf } from '../words/measures.ts'
import { numeral, toNumber } from '../words/numerals.ts'
import { type Token, toTokens } from '../words/tokens.ts'
import { usedMark } from '../words/used.ts'
import { isEmpty } from '../words/vocabulary.ts'
import { findDates } from './dates.ts'
import { findTimes } from './times.ts'

// Finds the numbers of a request, each with its unit and the words around it.

export type Mention = {
  value: number
  from: number
  to: number
  unit: Unit | undefined
  after: Token[]
  before: Token[]
  /** No countable noun follows the number. */
  isBare: boolean
  /** The number follows a capitalised word and is part of a name. */
  isName: boolean
  said: string
  /** The noun after the number was already read as another value. */
  countsRead: boolean
  /** The number is a place in an order, such as "third". It counts only before the noun of a field. */
  isOrdinal: boolean
  /** The number is joined to the previous one by "x" or "by". */
  isChained: boolean
}

const number = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}_]|\d[.,:/-])|(?<=\d[x×]))(?<minus>-)?(?<sign>[€$£]\s?)?(?<n>${numeral}|twice|thrice)(?<glued>[%°]|(?:kcal|km|cm|mm|min|mins|kg|hrs|sec|px|m|h|g|s)(?![\p{L}\p{N}]))?(?![\p{N}_]|(?:st|nd|rd|th)(?!\p{L}))(?:(?=[x×](?:\d|\s))|(?!\p{L}))`,
  'giu',
)
const composed =
  /^ ?(?:m|metres?|meters?)(?!\p{L}) (?:and )?(?<cm>\d{1,2})(?!\p{N}|[.,]\d)(?: ?(?:cm|centimet(?:er|re)s?)(?!\p{L}))?/iu
const andHalf = /^ (?:and a half (\p{L}+)|(\p{L}+) and a half)/iu
/** What is paid for an hour: "14.20/h". */
const hourly = /^(?:\s?\/\s?|\s(?:per|an)\s)(?:h|hr|hour)(?!\p{L})/iu
const reach = { after: 3, before: 4, beforeNoun: 2 }
const isBreak = ({ stem: it, word }: Token) => it === '' || word === 'and' || word === 'or' || word === 'by' || word === 'x'

const untilBreak = (tokens: Token[], most: number): Token[] => {
  const end = tokens.findIndex((it, at) => isBreak(it) || at >= most || /^\d/.test(it.word))
  return end < 0 ? tokens.slice(0, most) : tokens.slice(0, end)
}

/** Marks dates and times as used, so that their digits are not read as quantities. */
const withoutCalendar = (text: string, now: number): string => {
  let left = text
  const dates = findDates(text, now).filter(it => !/^\d{4}$|^(?:in|after) |ago$/i.test(it.said))
  for (const it of [...dates, ...findTimes(text)])
    left = left.slice(0, it.from) + usedMark.repeat(it.length) + left.slice(it.from + it.length)
  return left
}

/** "Twice" counts times as "two times" does. */
const times: Token = { word: 'times', stem: 'time', from: 0, to: 0 }

const toMention = (text: string, match: RegExpMatchArray): Mention => {
  const { n = '', glued = '', sign, minus } = match.groups ?? {}
  const from = match.index ?? 0
  let to = from + match[0].length
  const often = { twice: 2, thrice: 3 }[n.toLowerCase()]
  let value = (often ?? toNumber(n)) * (minus ? -1 : 1)
  const behind = text.slice(to, to + 80)
  const half = andHalf.exec(behind)
  const metres = composed.exec(glued === 'm' ? `m${behind}` : behind)
  if (half && unitOf(half[1] ?? half[2] ?? '')) value += 0.5
  if (metres?.groups?.cm) {
    value = Number((value + Number(metres.groups.cm.padEnd(2, '0')) / 100).toPrecision(12))
    to += metres[0].length - (glued === 'm' ? 1 : 0)
  }
  const all = toTokens(text.slice(to, to + 80).replace(/^-/, ' '))
  const skipped = often ? [times] : half?.[1] ? all.slice(3) : all
  const after = untilBreak(skipped, reach.after)
  const next = after[0]
  const isBare = !next || isEmpty(next.word)
  const before = untilBreak(
    toTokens(text.slice(Math.max(0, from - 60), from)).reverse(),
    isBare ? reach.before : reach.beforeNoun,
  )
  const unit = sign
    ? unitOf(sign.trim())
    : hourly.test(behind)
      ? unitOf('$')
      : metres
        ? unitOf('m')
        : (unitOf(glued) ?? unitOf(/^\s*([%°])/.exec(text.slice(to, to + 9))?.[1] ?? '') ?? unitOfWords(after))
  const isChained = /(?:\d|m|cm|metres?|meters?)\s*(?:x|×|\*|by)\s*$/i.test(text.slice(Math.max(0, from - 14), from))
  // "Lego 10281" is a name.
  const isName =
    /(?<=[^\s.!?…:]\s)\p{Lu}[\p{L}-]+ $/u.test(text.slice(Math.max(0, from - 24), from)) &&
    (n.length > 1 || (isBare && /^\d/.test(n)))
  const countsRead = text.slice(to, to + 2).includes(usedMark)
  return { value, from, to, unit, after, before, isBare, isName, said: n, countsRead, isChained, isOrdinal: false }
}

/** The unit that the next words name: "metres", "square metres". */
const unitOfWords = ([first, second]: readonly Token[]) =>
  unitOf(first?.word ?? '') ??
  (/^(?:square|sq|cubic)$/.test(first?.word ?? '') ? unitOf(`${first?.word.slice(0, 2)} ${second?.word}`) : undefined)

const places = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ')
const ordinal = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?<digits>\d{1,3})(?:st|nd|rd|th)|(?<word>${places.join('|')}))(?=\s+\p{L})`,
  'giu',
)

/** The ordinals of a text, each with the words after it. */
const findOrdinals = (text: string): Mention[] =>
  [...text.matchAll(ordinal)].slice(0, 20).map(({ 0: said, index: from, groups = {} }) => {
    const to = from + said.length
    const value = groups.digits ? Number(groups.digits) : places.indexOf(said.toLowerCase()) + 1
    const after = untilBreak(toTokens(text.slice(to, to + 80)), reach.after)
    const of = { value, from, to, unit: undefined, after, before: [], said }
    return { ...of, isBare: false, isName: false, countsRead: false, isChained: false, isOrdinal: true }
  })

/** Returns the numbers of a text. @param now ms since 1970, to tell dates from numbers */
export const findNumbers = (said: string, now: number): Mention[] => {
  const rest = withoutCalendar(said, now)
  // In a text about temperature, a capital K is the unit kelvin and not "thousand".
  const text = /temperature|kelvin|\btemp\b/i.test(rest) ? rest.replace(/(?<=\d)K(?!\p{L})/gu, ' ') : rest
  const found = [...findOrdinals(text), ...findCardinals(text)]
  return found.sort((a, b) => a.from - b.from)
}

const findCardinals = (text: string): Mention[] => {
  return (
    [...text.matchAll(number)]
      .filter(it => !/^\d+\)/.test(text.slice(it.index, it.index + 4)))
      .slice(0, 60)
      .map(it => toMention(text, it))
      // "3 metres and 80" is one number.
      .filter((it, at, all) => it.from >= (all[at - 1]?.to ?? 0))
  )
}
