import { createFilling, type Filling } from '../fields/filling.ts'
import { createPage, type Page, piecesOf } from '../fields/page.ts'
import type { Property } from '../fields/requirement.ts'
import {
  type Deadline,
  findDeadlines,
  findPerhapsPrices,
  findPrices,
  leastOf,
  most,
  type Price,
  toMinutes,
} from '../text/limits.ts'
import { numeral } from '../words/numerals.ts'
import { isEmpty } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'
import { createMaterialTest } from './material.ts'

/**
 * The user's limits for the hire itself: its price and its duration in minutes. `unread` lists amounts that could not be
 * interpreted.
 */
export type Limits = { maxPrice?: string; withinMinutes?: number; unread?: string[] }

type Part = { from: number; to: number }

const isMoneyField =
  /\b(?:price|budget|cost|amount|principal|sum|loan|salary|rent|fee|eur|usd|euros?|dollars?|money|spend|pay)\b/i

/** Returns fields that take an amount of money. An amount belongs to them unless the user states it for the hire. */
const moneySlots = ({ slots, values }: Filling) =>
  slots.filter(it => !values.has(it.name) && [it, ...it.members].some(takesMoney))
const takesMoney = ({ type, name, description }: Property): boolean =>
  /^(?:number|integer)$/.test(type) && isMoneyField.test(`${name.replaceAll('_', ' ')} ${description}`)

const isForHire = ({ said, unit, from }: Price, text: string) =>
  /usdc|cents?|ct|¢/i.test(unit) ||
  /\bpay/i.test(said) ||
  /\b(?:search|hire|job|service|agent|it) (?:itself )?(?:must|may|should|can)(?:n'?t| not)\s*$/i.test(
    text.slice(Math.max(0, from - 40), from),
  )

const readPrice = (filling: Filling, isOwn: (part: Part) => boolean): string | undefined => {
  const { page, slots } = filling
  const text = page.rest()
  const isMoneyAsked =
    moneySlots(filling).length > 0 ||
    slots.some(it => it.kind === 'currency' || (it.kind === 'choice' && it.allowed.includes('USD')))
  const isLimit = (it: Price) => it.isLed || /usdc|cent|ct|¢/i.test(it.unit)
  const all = findPrices(text).filter(it => isLimit(it) && isOwn(it) && (!isMoneyAsked || (!it.isBare && isForHire(it, text))))
  const found = all.filter(it => !it.isBare || it.isOfPay || filling.open('number').length === 0)
  for (const it of found) page.take(it.from, it.to)
  return leastOf(found)
}

const takesDuration =
  /\b(?:minutes?|hours?|days?|weeks?|duration|length(?! in (?:words|pages|lines|sentences|cm|metres))|time|seconds?)\b/i

/**
 * Reads the deadline of the hire, in minutes from now. A span that the user accepts counts before a clock time, which is that of
 * the wall clock; of other deadlines the earliest counts. Spans belong to a field that counts them if there is one; dates belong to an
 * open date field.
 */
const readMinutes = (filling: Filling, isOwn: (part: Part) => boolean): number | undefined => {
  const { page, now } = filling
  const counts = filling.open('number').some(it => takesDuration.test(`${it.name.replaceAll('_', ' ')} ${it.description}`))
  const isDated = filling.open('date', 'time').length > 0
  const isTaken = (it: Deadline) => isOwn(it) && (it.manner === 'by' ? !isDated : !counts || it.manner === 'within')
  const found = findDeadlines(page.rest()).filter(isTaken)
  for (const it of found) page.take(it.from, it.to)
  const accepted = found.filter(it => it.manner === 'accepted')
  const minutes = (accepted.length > 0 ? accepted : found).flatMap(
    it => toMinutes(it.said.replace(/tonight/i, 'today night'), now) ?? [],
  )
  return minutes.length > 0 ? Math.min(...minutes) : undefined
}

/** Reads the user's limits on the price and deadline of the hire, and marks those words as used. */
export const readWishes = (filling: Filling): Limits => {
  const isMaterial = createMaterialTest(filling.page.whole)
  const isOwn = ({ from, to }: Part) => !isMaterial({ from, to })
  const maxPrice = readPrice(filling, isOwn)
  const withinMinutes = readMinutes(filling, isOwn)
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

/** Numbers of the user's own words that may be limits of the price: "up to 2". */
export const findPerhapsLimits = (text: string): ReturnType<typeof findPerhapsPrices> => {
  const isMaterial = createMaterialTest(text)
  return findPerhapsPrices(text).filter(it => !isMaterial(it))
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
