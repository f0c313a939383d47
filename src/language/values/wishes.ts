import { createFilling, type Filling } from '../fields/filling.ts'
import { createPage, type Page, piecesOf } from '../fields/page.ts'
import type { Property } from '../fields/requirement.ts'
import { clock, dayPart, toAcceptedSpans, toMinutes } from '../text/wishes.ts'
import { numeral, toNumber } from '../words/numerals.ts'
import { isEmpty } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'
import { createMaterialTest } from './material.ts'

/**
 * The user's limits for the hire itself: its price and its duration in minutes. `unread` lists amounts that could not be
 * interpreted.
 */
export type Limits = { maxPrice?: string; withinMinutes?: number; unread?: string[] }

const usd = String.raw`(?:us ?dollars?|usd|dollars?|bucks?)(?![\p{L}\p{N}])`
const usdc = String.raw`usdc(?![\p{L}\p{N}])`
const cents = String.raw`(?:us )?(?:cents?|ct)(?![\p{L}\p{N}])|¢`
const most = String.raw`(?:at (?:the )?(?:very )?most|at max(?:imum)?|max(?:imum|\.)?|no more than|not more than|more than|not over|no higher than|up to|under|below|less than|cheaper than|within|only|tops)`
const paying = String.raw`(?:(?:can|could|will|would|want to|like to|i(?:'ll)?|we(?:'ll)?)\s+(?:only |not )?(?:pay|spend)|pay(?:ing)?|spend(?:ing)?|costs?|costing|budget|limit|price|reward)(?: (?:of|is|you|me|for (?:it|that|this)))?:?`
const lead = String.raw`(?:(?:${paying})\s+)?(?:(?:for|of|is|with|by)\s+)?(?:(?:an?|the|my|our)\s+)?(?:(?:${most})\s+)?(?:of |to |about |around )?`
const amount = String.raw`(?:(?<dollar>(?:us)?\$ ?(?<a>${numeral}))(?: ?(?:${usdc}))?|(?<b>${numeral}) ?(?<unit>${usdc}|${usd}|\$|${cents}))`
const money = new RegExp(
  String.raw`(?<![\p{L}\p{N}−-])${lead}${amount}(?:\s+(?:at (?:the )?most|max(?:imum)?|tops|or less))?`,
  'giu',
)
/** A number without a currency is a price only after these words. */
const bare = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:pay|spend|costs?|budget|price|reward)(?: (?:of|is|you))?:?\s+(?:${most}\s+)?|at (?:the )?most\s+|(?:no|not) more than\s+)(?<a>${numeral})(?=\s*(?:$|[;!?\n]|[.,](?!\d)|(?:and|please|per|but)(?!\p{L})))`,
  'giu',
)
const asksPay = new RegExp(`(?:${paying})|${most}`, 'iu')

const isMoneyField =
  /\b(?:price|budget|cost|amount|principal|sum|loan|salary|rent|fee|eur|usd|euros?|dollars?|money|spend|pay)\b/i

/** Returns fields that take an amount of money. An amount belongs to them unless the user states it for the hire. */
const moneySlots = ({ slots, values }: Filling) =>
  slots.filter(it => !values.has(it.name) && [it, ...it.members].some(takesMoney))
const takesMoney = ({ type, name, description }: Property): boolean =>
  /^(?:number|integer)$/.test(type) && isMoneyField.test(`${name.replaceAll('_', ' ')} ${description}`)

const isForHire = (said: string, before: string, unit: string) =>
  /usdc|cents?|ct|¢/i.test(unit) ||
  /\bpay/i.test(said) ||
  /\b(?:search|hire|job|service|agent|it) (?:itself )?(?:must|may|should|can)(?:n'?t| not)\s*$/i.test(before)

const readPrice = (filling: Filling): string | undefined => {
  const { page } = filling
  const text = page.rest()
  const isMoneyAsked =
    moneySlots(filling).length > 0 ||
    filling.slots.some(it => it.kind === 'currency' || (it.kind === 'choice' && it.allowed.includes('USD')))
  const isMaterial = createMaterialTest(page.whole)
  const isOwn = ({ index, 0: said }: RegExpMatchArray & { index: number }) =>
    !isMaterial({ from: index, to: index + said.length })
  let found: number | undefined
  for (const match of text.matchAll(money)) {
    if (!isOwn(match)) continue
    const { a, b, unit = '' } = match.groups ?? {}
    const said = match[0]
    const isLimit =
      asksPay.test(said) || /^(?:for|with)\s/i.test(said) || /usdc/i.test(unit) || new RegExp(cents, 'iu').test(unit)
    if (!isLimit || (isMoneyAsked && !isForHire(said, text.slice(Math.max(0, match.index - 40), match.index), unit))) continue
    const value = toNumber(a ?? b ?? '') / (/^(?:us )?(?:cent|ct|¢)/i.test(unit) ? 100 : 1)
    found = Math.min(found ?? value, value)
    page.take(match.index, match.index + said.length)
  }
  if (found === undefined && !isMoneyAsked)
    for (const match of text.matchAll(bare)) {
      const isClear = /pay|spend|cost|price|reward|budget/i.test(match[0]) || filling.open('number').length === 0
      if (!isClear || !isOwn(match)) continue
      found = toNumber(match.groups?.a ?? '')
      page.take(match.index, match.index + match[0].length)
    }
  return found === undefined ? undefined : String(Number(found.toPrecision(12)))
}

const unitMinutes: [RegExp, number][] = [
  [/^m/i, 1],
  [/^h/i, 60],
  [/^d/i, 24 * 60],
  [/^w/i, 7 * 24 * 60],
]
const unit = String.raw`(?:minutes?|mins?|hours?|hrs?|h|days?|weeks?)(?![\p{L}\p{N}])`
const span = `(?<n>${numeral}|an?) ?(?<u>${unit})`
const late = `(?:at the (?:very )?latest|max(?:imum)?|at (?:the )?most|tops|or less|or sooner)`
const toPatterns = (sources: string[]) => sources.map(it => new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${it})`, 'giu'))
const spans = toPatterns([
  String.raw`(?:within|in (?:less than|under|at most|max(?:imum)?|no more than)|no later than(?: in)?|in no more than)(?: the next)?\s+${span}`,
  String.raw`(?:in|for|takes?|take)?\s*${span},?\s+${late}`,
  String.raw`(?<=(?:must|need|needs|needed|want|done|ready|finished|delivered|back|here|it|this|that|have)\s)in ${span}`,
  // A span in minutes or hours is a deadline. A span in days may be a travel date, so it is excluded here.
  String.raw`in (?<n>${numeral}|an?) ?(?<u>(?:minutes?|mins?|hours?|hrs?|h))(?![\p{L}\p{N}])(?=\s*(?:$|[,.;!?]|please|pls|thanks|for ))`,
])
const acceptedSpans = toPatterns(toAcceptedSpans(span))
const weekday = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)'
const by = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?<!\d\s?\p{L}{0,12}\s)by|before|until|no later than) (?:tonight|this ${dayPart}|(?:tomorrow|today)(?: (?:at )?${clock}| ${dayPart})?|(?:the )?end of (?:the |this )?(?:day|week)|(?:next |this )?${weekday}(?: ${clock}| ${dayPart})?|${clock}(?: (?:tomorrow|today))?)(?![\p{L}\p{N}]|[.,]\d| ?(?:m|cm|metres?|meters?|feet|ft|inch(?:es)?|x|by)(?![\p{L}]))`,
  'giu',
)

const spanOf = ({ groups }: RegExpMatchArray): number => {
  const { n = '', u = '' } = groups ?? {}
  const factor = unitMinutes.find(([pattern]) => pattern.test(u))?.[1] ?? 1
  return Math.round((/^an?$/i.test(n) ? 1 : toNumber(n)) * factor)
}

const byMinutes = (said: string, now: number): number | undefined => {
  const words = said.replace(/this (?=morning|afternoon|evening|night)/i, 'today ').replace(/tonight/i, 'today night')
  return toMinutes(words, now)
}

const takesDuration =
  /\b(?:minutes?|hours?|days?|weeks?|duration|length(?! in (?:words|pages|lines|sentences|cm|metres))|time|seconds?)\b/i

/**
 * Reads the deadline of the hire, in minutes from now. A span that the user accepts counts before a clock time, which is in
 * UTC; of other deadlines the earliest counts. Spans belong to a field that counts them if there is one; dates belong to an
 * open date field.
 */
const readMinutes = (filling: Filling): number | undefined => {
  const { page, now } = filling
  const counts = filling.open('number').some(it => takesDuration.test(`${it.name.replaceAll('_', ' ')} ${it.description}`))
  const isMaterial = createMaterialTest(page.whole)
  const isOwn = ({ index, 0: said }: RegExpExecArray) => !isMaterial({ from: index, to: index + said.length })
  const takeEach = (patterns: RegExp[], toMinutesOf: (match: RegExpExecArray) => number) =>
    patterns.flatMap(pattern =>
      [...page.rest().matchAll(pattern)].filter(isOwn).map(match => {
        page.take(match.index, match.index + match[0].length)
        return toMinutesOf(match)
      }),
    )
  const accepted = counts ? [] : takeEach(acceptedSpans, spanOf)
  const limits = takeEach(counts ? spans.slice(0, 1) : spans, spanOf)
  const clockTimes =
    filling.open('date', 'time').length > 0 ? [] : takeEach([by], it => byMinutes(it[0], now) ?? Number.POSITIVE_INFINITY)
  const earliest = Math.min(...(accepted.length > 0 ? accepted : [...limits, ...clockTimes]))
  return Number.isFinite(earliest) ? earliest : undefined
}

/** Reads the user's limits on the price and deadline of the hire, and marks those words as used. */
export const readWishes = (filling: Filling): Limits => {
  const maxPrice = readPrice(filling)
  const withinMinutes = readMinutes(filling)
  return { ...(maxPrice !== undefined && { maxPrice }), ...(withinMinutes !== undefined && { withinMinutes }) }
}

/** Returns a request without the limits on the hire's price and deadline. */
export const withoutLimits = (text: string): string => {
  const page = createPage(text)
  readWishes(createFilling({ page, now: 0, slots: [], isOwn: () => false, isName: () => false }))
  return piecesOf(page.rest()).join(' ')
}

const assenting = /^(?:fine|alright|right|deal|fair|enough|too|even|up|raise|budget|limit)$/
const onlyNumber = new RegExp(String.raw`(?<!\p{L})(?:${most})\s+${numeral}(?=\s*(?:$|[.!,]))`, 'giu')
/** Whether a message says a limit of the hire and nothing else: "ok, up to 10 then". */
export const isOnlyLimits = (text: string): boolean => {
  const left = withoutLimits(text).replace(onlyNumber, ' ')
  return left !== text && splitWords(left).every(it => isEmpty(it) || assenting.test(it))
}

const anyMoney = new RegExp(
  String.raw`(?:(?:us)?[$€£¥] ?${numeral}|${numeral} ?(?:[$€£¥¢]|(?:usdc?|dollars?|bucks|cents?|euros?|eur|pounds?|gbp|francs?|chf|yen)(?![\p{L}\p{N}])))|(?:${most})\s+${numeral}(?![\p{L}\p{N}])(?! ?[\p{L}%])`,
  'giu',
)

/** Returns amounts of money that neither a field nor a limit used, and marks them as used. */
export const unreadAmounts = (page: Page): string[] =>
  page
    .takeAll(anyMoney)
    .map(it => it[0].replace(new RegExp(`^(?:${most})\\s+`, 'iu'), '').trim())
    .slice(0, 5)
