import { remember } from '../../domain/text/remember.ts'
import { type Unit, unitOf } from '../words/measures.ts'
import { numeral, ordinals, toNumber } from '../words/numerals.ts'
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
  /** The last words before the number, in lower case. */
  lead: string
  /** The number stands alone in brackets, directly after a name. */
  isBracketed: boolean
  /** The number says how many of what follows: "3 x". */
  isTimes: boolean
  /** The number is joined to the previous one by "x" or "by". */
  isChained: boolean
}

/** What of a number says nothing about the words around it. */
export const plainMention = {
  ...{ unit: undefined, after: [], before: [], isBare: false, isName: false, countsRead: false },
  ...{ isOrdinal: false, lead: '', isBracketed: false, isTimes: false, isChained: false },
}

const number = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}_]|\d[.,:/-])|(?<=(?:\d|(?<![\p{L}\p{N}]))[x×]))(?<minus>[-−]|minus |negative )?(?<sign>[€$£]\s?|(?:EUR|USD|GBP|CHF)\s)?(?<n>${numeral}|twice|thrice)(?<glued>[%°]|(?:kcal|km|cm|mm|min|mins|kg|hrs|sec|px|m|h|g|s|t)(?![\p{L}\p{N}]))?(?![\p{N}_]|(?:st|nd|rd|th)(?!\p{L}))(?:(?=[x×](?:\d|\s|$|[.,;!?]))|(?!\p{L}))`,
  'giu',
)
const composed =
  /^ ?(?:m|metres?|meters?)(?!\p{L}) (?:and )?(?<cm>\d{1,2})(?!\p{N}|[.,]\d)(?: ?(?:cm|centimet(?:er|re)s?)(?!\p{L}))?/iu
/** A weight only before pounds: elsewhere it is what a thing is made of. */
const stone: Unit = { dimension: 'weight', factor: 6.35029 }
/** The rest of an amount in a smaller unit: "3 stone 4 pounds", "1 hour 20 minutes". */
const smaller = new RegExp(String.raw`^ ?(?<big>\p{L}{1,12})(?:,? and|,)? (?<n>${numeral}) ?(?<small>\p{L}{1,12})(?!\p{L})`, 'iu')
const andHalf = /^ (?:and a half (\p{L}+)|(\p{L}+) and a half)/iu
const cents =
  /^ ?(?:euros?|dollars?|pounds?|francs?|\uE000{3,8})(?: and)? (\d{2})(?: ?(?:cents?|ct|pence|p))?(?=\s*(?:$|[,;!?)]|\.(?!\d)|(?:for|is|in|on|and|to|by|with|at|which|that|was|each)(?!\p{L})))/iu
/** What is paid for an hour: "14.20/h". */
const hourly = /^(?:\s?\/\s?|\s(?:per|an)\s)(?:h|hr|hour)(?!\p{L})/iu
const reach = { after: 3, before: 4, beforeNoun: 3 }
const isBreak = ({ stem: it, word }: Token) => it === '' || /^(?:and|or|by|x|plus|minus|divided|multiplied)$/.test(word)

const untilBreak = (tokens: Token[], most: number): Token[] => {
  const end = tokens.findIndex((it, at) => isBreak(it) || at >= most || /^\d/.test(it.word))
  return end < 0 ? tokens.slice(0, most) : tokens.slice(0, end)
}

const address = /https?:\/\/\S+/gi
/** Marks dates, times and web addresses as used, so that their digits are not read as quantities. */
const withoutCalendar = (text: string, now: number): string => {
  let left = text.replace(address, it => usedMark.repeat(it.length))
  const dates = findDates(text, now).filter(it => !/^\d{4}$|^(?:in|after) |ago$/i.test(it.said))
  for (const it of [...dates, ...findTimes(text)])
    left = left.slice(0, it.from) + usedMark.repeat(it.length) + left.slice(it.from + it.length)
  return left
}

/** "Twice" counts times as "two times" does. */
const times: Token = { word: 'times', stem: 'time', from: 0, to: 0 }

/** How much a number and what belongs to it behind it say: "two and a half hours", "3 m 80", "842 euros 50". */
const amountOf = (text: string, match: RegExpMatchArray) => {
  const { n = '', glued = '', minus } = match.groups ?? {}
  let to = (match.index ?? 0) + match[0].length
  const often = { twice: 2, thrice: 3 }[n.toLowerCase()]
  let value = often ?? toNumber(n)
  const behind = text.slice(to, to + 80)
  const half = andHalf.exec(behind)
  if (half && unitOf(half[1] ?? half[2] ?? '')) value += 0.5
  const less = smaller.exec(glued + behind)
  const big = /^stone$/i.test(less?.groups?.big ?? '') ? stone : unitOf(less?.groups?.big ?? '')
  // Of a weight, pounds are no money.
  const small = unitOf((less?.groups?.small ?? '').replace(/^pounds?$/i, it => (big?.dimension === 'weight' ? 'lb' : it)))
  const isOne =
    less && big && small && big.dimension === small.dimension && big.factor > small.factor && big.dimension !== 'money'
  if (isOne) {
    value = Number((value + (toNumber(less.groups?.n ?? '') * small.factor) / big.factor).toPrecision(6))
    to += less[0].length - glued.length
  }
  const metres = isOne ? null : composed.exec(glued === 'm' ? `m${behind}` : behind)
  if (metres?.groups?.cm) {
    value = Number((value + Number(metres.groups.cm.padEnd(2, '0')) / 100).toPrecision(12))
    to += metres[0].length - (glued === 'm' ? 1 : 0)
  }
  const coins = cents.exec(text.slice(to, to + 40))
  if (coins) {
    value += Number(coins[1]) / 100
    to += coins[0].length
  }
  const isMoney = coins !== null || hourly.test(behind)
  return { value: minus ? -value : value, to, often, half, isMoney, isMetres: metres !== null, big: isOne ? big : undefined }
}

const toMention = (text: string, match: RegExpMatchArray): Mention => {
  const { n = '', glued = '', sign } = match.groups ?? {}
  const from = match.index ?? 0
  const { value, to, often, half, isMoney, isMetres, big } = amountOf(text, match)
  // The noun may stand behind another value: "10 vegan portions".
  const behind = text.slice(to, to + 80).replace(/^ times(?= \d)/i, ' x    ')
  const all = toTokens(behind.replace(/^(?:-|\s\uE000+(?=\s\p{L}))/u, it => ' '.repeat(it.length)))
  const after = untilBreak(often ? [times] : half?.[1] ? all.slice(3) : all, reach.after)
  const isBare = !after[0] || isEmpty(after[0].word)
  const near = text.slice(Math.max(0, from - 24), from)
  const before = untilBreak(
    toTokens(text.slice(Math.max(0, from - 60), from)).reverse(),
    isBare ? reach.before : reach.beforeNoun,
  )
  const isCounted = text.slice(to, to + 2).includes(usedMark)
  const next = unitOf(glued) ?? unitOf(/^\s*([%°])/.exec(text.slice(to, to + 9))?.[1] ?? '') ?? unitOfWords(after)
  return {
    ...{ value, from, to, after, before, isBare, said: n, isOrdinal: false },
    unit: sign ? unitOf(sign.trim()) : isMoney ? unitOf('$') : isMetres ? unitOf('m') : (big ?? next),
    // "Lego 10281" is a name.
    isName: /(?<=[^\s.!?…:,;\uE000]\s)\p{Lu}[\p{L}-]+ $/u.test(near) && (n.length > 1 || (isBare && /^\d/.test(n))) && !isCounted,
    countsRead: isCounted,
    lead: near.slice(-12).trim().toLowerCase(),
    isBracketed: /\p{Lu}[\p{L}'’-]+ \($/u.test(near) && text[to] === ')',
    isTimes: /^\s?[x×]\s\p{L}/u.test(text.slice(to, to + 4)),
    isChained: /(?:\d|m|cm|metres?|meters?)\s*(?:x|×|\*|by)\s*$/i.test(near.slice(-14)),
  }
}

/** The unit that the next words name: "metres", "square metres". */
const unitOfWords = ([first, second]: readonly Token[]) =>
  unitOf(first?.word ?? '') ??
  (/^(?:square|sq|cubic)$/.test(first?.word ?? '') ? unitOf(`${first?.word.slice(0, 2)} ${second?.word}`) : undefined)

const ordinal = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?<digits>\d{1,3})(?:st|nd|rd|th)|(?<word>${ordinals.join('|')}))(?=\s+\p{L})`,
  'giu',
)

/** The ordinals of a text, each with the words after it. */
const findOrdinals = (text: string): Mention[] =>
  [...text.matchAll(ordinal)].slice(0, 20).map(({ 0: said, index: from, groups = {} }) => {
    const to = from + said.length
    const value = groups.digits ? Number(groups.digits) : ordinals.indexOf(said.toLowerCase()) + 1
    const after = untilBreak(toTokens(text.slice(to, to + 80)), reach.after)
    return { ...plainMention, value, from, to, after, said, isOrdinal: true }
  })

/** Returns the numbers of a text. @param now ms since 1970, to tell dates from numbers */
export const findNumbers = remember({ results: 500, chars: 4_000 }, (said: string, now: number): readonly Mention[] => {
  const rest = withoutCalendar(said, now)
  // In a text about temperature, a capital K is the unit kelvin and not "thousand".
  const text = /temperature|kelvin|\btemp\b/i.test(rest) ? rest.replace(/(?<=\d)K(?!\p{L})/gu, ' ') : rest
  const found = [...findOrdinals(text), ...findCardinals(text)]
  return found.sort((a, b) => a.from - b.from)
})

/** "1) …" numbers a point of a list; "(year 9)" has its number in brackets. */
const isEnumerator = (text: string, at: number) =>
  /^\d+\)/.test(text.slice(at, at + 4)) && !/\([^()]{0,60}$/.test(text.slice(Math.max(0, at - 60), at))

const findCardinals = (text: string): Mention[] => {
  return (
    [...text.matchAll(number)]
      .filter(it => !isEnumerator(text, it.index))
      .slice(0, 60)
      .map(it => toMention(text, it))
      // "3 metres and 80" is one number.
      .filter((it, at, all) => it.from >= (all[at - 1]?.to ?? 0))
  )
}
