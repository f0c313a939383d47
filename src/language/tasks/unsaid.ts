import { limits } from '../../domain/limits.ts'
import { withoutWhole } from '../../domain/plans/references.ts'
import { findSpans } from '../forms/recognisers.ts'
import { takeCategory, takeChain, takeDeadline, takePrice } from '../text/limits.ts'
import { findQuotations } from '../text/quotations.ts'
import { countries, currencies, languages, plain as toPlain } from '../words/intl.ts'
import { toNumber } from '../words/numerals.ts'
import { createOwnWords, isDeed, isEmpty } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'
import { splitConnectors } from './connectors.ts'
import { toLabels } from './labels.ts'
import { takeHead } from './limitHead.ts'
import { asksNothing } from './readTasks.ts'
import { toUnits } from './units.ts'

// Finds the values of a message that stand nowhere in its answer, by form: quotations, numbers, names, and what is listed beside a
// value that was taken. A task that is lost loses such values, too.

const number = /(?<![\p{L}\p{N}.,])\d+(?:[.,:/-]\d+)*(?![\p{L}\p{N}])/gu
const capitalised = String.raw`\p{Lu}[\p{L}\p{N}'’&-]*`
const name = new RegExp(
  String.raw`(?<![\p{L}\p{N}'’])${capitalised}(?:\s+(?:(?:of|the|de|la|le|von|van)\s+){0,2}${capitalised})*`,
  'gu',
)
const beginning = /(?:^|[.!?:\n"“(])\s*$/u
const speaker = /^I(?:['’]\w+)?$/u
const ofDate = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)\p{L}*$/iu

const namesIn = (text: string): string[] =>
  [...text.matchAll(name)].flatMap(({ 0: found, index }) => {
    const words = found.split(/\s+/)
    const said = beginning.test(text.slice(0, index)) ? words.slice(1) : words
    const own = said.filter(it => !speaker.test(it) && !ofDate.test(it)).join(' ')
    return own === '' ? [] : [own.replace(/^(?:(?:of|the|de|la|le|von|van)\s+)+/u, '')]
  })

/** A longer message is a text with a request. */
const maxChars = 4_000

const quotedIn = (text: string): string[] => findQuotations(text).map(it => text.slice(it.start, it.end).trim())

/** Forms of values that stand for themselves in any clause. */
const addresses = new Set(['url', 'email', 'ip', 'wallet', 'hash'])
const host = /(?<![\p{L}\p{N}@/.-])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(?![\p{L}\p{N}])/giu
const addressesIn = (text: string): string[] => [
  ...findSpans(text, addresses).map(({ from, to }) => text.slice(from, to)),
  ...(text.match(host) ?? []),
]

const plain = (text: string) => ` ${splitWords(text.replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')).join(' ')} `
const numbersIn = (text: string) => (text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number)
/** Codes of languages, countries and currencies, which stand in an input in place of their names. */
const codesOf = (text: string): string[] =>
  [languages(), countries(), currencies()].flatMap(
    table => table.get(toPlain(text)) ?? table.get(toPlain(text).replace(/s$/, '')) ?? [],
  )
const limitTakers = [takePrice, takeChain, takeCategory] as const
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const joint = String.raw`(?:,\s*(?:and\s+)?|\s+(?:and|&)\s+)`
const lowered = String.raw`(?:(?:the|an?|my|our) )?\p{Ll}[\p{Ll}\p{N}'’-]*`

/**
 * What is listed beside a value in the same look: "Java" in "for Python and Java", where Python was taken. Other words are listed
 * where there are three. A comma alone lists nothing: "Paris, France".
 */
const besideIn = (message: string, value: string): string[] => {
  const isName = /^\p{Lu}/u.test(value)
  const item = isName ? `${capitalised}(?: ${capitalised}){0,2}` : lowered
  const row = String.raw`(?<![\p{L}\p{N}])(?:${item}${joint}){0,7}(?:(?:the|an?|my|our) )?${escaped(value)}(?:${joint}${item}){0,7}(?![\p{L}\p{N}])`
  const [found = ''] = new RegExp(row, 'u').exec(message) ?? []
  const items = found.split(new RegExp(joint, 'u'))
  const isRow = /\s(?:and|&)\s/.test(found) && (isName || items.length > 2)
  return isRow ? items.filter(it => !it.endsWith(value) && it !== 'I') : []
}

type Said = {
  message: string
  /** The values that were taken, as they stand in the inputs. */
  taken: readonly string[]
  /** All that the answer names besides. */
  named: string
  /** The words of the offerings and their fields, which are lost with no task. */
  own: string
}

/** Whether the texts of an answer have a value, in these words, as a number, or as its code. */
const toCovered = (answer: string): ((it: string) => boolean) => {
  const words = plain(answer)
  const numbers = new Set(numbersIn(answer.replace(/(?<=\d),(?=\d{3}(?!\d))/g, '')))
  const isNumber = (it: number) => [it, it / 100, it + 12].some(one => numbers.has(one))
  return it => {
    const own = numbersIn(it)
    const isText = words.includes(plain(it)) || codesOf(it).some(code => words.includes(plain(code)))
    return isText || (/^\d/.test(it) && own.every(isNumber))
  }
}

/** The first phrases alone and the others as one, so that none is lost and the terms are not hidden. */
const toFew = (all: readonly string[]): string[] => {
  const rest = all.slice(limits.leftOut - 1)
  return rest.length < 2 ? [...all] : [...all.slice(0, limits.leftOut - 1), rest.join(', ').slice(0, limits.unreadChars)]
}

/** The values of a clause. A time limit is none, unless it is said of something that nobody got. */
const valuesIn = (text: string, isTelling: (word: string) => boolean): { said: string; values: string[] } => {
  const told = limitTakers.reduce((left, take) => take(left).rest, text)
  const wished = takeDeadline(told).rest
  const said = splitWords(withoutWhole(wished)).some(it => /^\p{L}{3,}$/u.test(it) && isTelling(it)) ? told : wished
  return { said, values: [...quotedIn(text), ...(said.match(number) ?? []), ...namesIn(said), ...addressesIn(text)] }
}

/**
 * What of a message its answer does not have, in order: each value, and each clause of which it has no word. Of one task without a
 * list there are quotations and addresses alone.
 */
export const findUnsaid = ({ message, taken, named, own }: Said): string[] => {
  const { rest, count } = takeHead(message)
  // The number of tasks that a head announces is none of their values.
  const text = (count === undefined ? message : rest).slice(0, maxChars)
  const answer = `${taken.join('\n')}\n${named}`
  const [isCovered, isTaken, isWord] = [toCovered(answer), toCovered(taken.join('\n')), createOwnWords(answer)]
  const isOwn = createOwnWords(own)
  const isLost = (it: string) => !isCovered(it) && !splitWords(it).every(isOwn)
  const isTelling = (it: string) => !isEmpty(it) && !isDeed(it) && !isOwn(it) && !isTaken(it)
  const units = toUnits(text)
  const labels = toLabels(units)
  const lost = units.flatMap((unit, at) => {
    const { said, values } = valuesIn(unit.text, isTelling)
    if (units.length < 2) return [...quotedIn(text), ...addressesIn(text)].filter(it => !isCovered(it))
    // "Two persons" are the 2 of an input.
    const isCounted = splitWords(said).some(it => toNumber(it) > 1 && isTaken(String(toNumber(it))))
    if (isCounted || values.some(it => !isLost(it))) return values.filter(isLost)
    const isAsked = at > 0 && (labels[at] === 'task' || labels[at] === 'share')
    const words = splitWords(splitConnectors(withoutWhole(said)).rest).filter(it => /^\p{L}{3,}$/u.test(it) && !isEmpty(it))
    const telling = words.filter(it => isAsked || !isDeed(it))
    const isUnread = telling.length > 0 && (isAsked ? telling.slice(0, 1) : telling).every(it => !isOwn(it) && !isWord(it))
    const isFrame = labels[at] === 'frame' || asksNothing.test(unit.text)
    if (isUnread && !isFrame) return [splitConnectors(unit.text.split(/[:：]\s/)[0] ?? '').rest]
    return values.filter(isLost)
  })
  const listed = taken.filter(it => /^\p{L}./u.test(it)).flatMap(it => besideIn(text, it))
  return toFew([...new Set([...lost, ...listed.filter(it => !isCovered(it))])])
}
