import { limits } from '../../domain/limits.ts'
import { withoutWhole } from '../../domain/plans/wholeWords.ts'
import { findSpans } from '../forms/recognisers.ts'
import { takeCategory, takeChain, takeDeadline, takePrice } from '../text/limits.ts'
import { findQuotations } from '../text/quotations.ts'
import { countries, currencies, languages, plain as toPlain } from '../words/intl.ts'
import { createOwnWords, isDeed, isEmpty } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'
import { splitConnectors } from './connectors.ts'
import { type Label, toLabels } from './labels.ts'
import { isRequest } from './readTasks.ts'
import { toUnits, type Unit } from './units.ts'

// Finds the values of a message that stand nowhere in its answer, by form: quotations, numbers, names, and what is listed beside a
// value that was taken. A task that is lost loses such values, too.

const number = /(?<![\p{L}\p{N}.,])\d+(?:[.,:/-]\d+)*(?![\p{L}\p{N}])/gu
const capitalised = String.raw`\p{Lu}[\p{L}\p{N}'’&-]*`
const name = new RegExp(
  String.raw`(?<![\p{L}\p{N}'’])${capitalised}(?:\s+(?:(?:of|the|de|la|le|von|van)\s+){0,2}${capitalised})*`,
  'gu',
)
const beginning = /(?:^|[.!?:\n"“(])\s*$/u
/** The speaker, or an abbreviation: it names the kind of work more often than a value. */
const noName = /^(?:I(?:['’]\w+)?|\p{Lu}{2,4})$/u
const ofDate = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)\p{L}*$/iu

const namesIn = (text: string): string[] =>
  [...text.matchAll(name)].flatMap(({ 0: found, index }) => {
    const words = found.split(/\s+/)
    const said = beginning.test(text.slice(0, index)) ? words.slice(1) : words
    const own = said.filter(it => !noName.test(it) && !ofDate.test(it)).join(' ')
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
const lowered = String.raw`\p{Ll}[\p{Ll}\p{N}'’-]*`

/**
 * What is listed beside a value in the same look: "Java" in "for Python and Java", where Python was taken. Other words are listed
 * where there are three. A comma alone lists nothing: "Paris, France".
 */
const besideIn = (message: string, value: string): string[] => {
  const isName = /^\p{Lu}/u.test(value)
  const item = isName ? `${capitalised}(?: ${capitalised}){0,2}` : lowered
  const row = String.raw`(?<![\p{L}\p{N}])(?:${item}${joint}){0,7}${escaped(value)}(?:${joint}${item}){0,7}(?![\p{L}\p{N}])`
  const [found = ''] = new RegExp(row, 'u').exec(message) ?? []
  const items = found.split(new RegExp(joint, 'u'))
  const isRow = /\s(?:and|&)\s/.test(found) && (isName || items.length > 2)
  return isRow ? items.filter(it => it !== value && it !== 'I') : []
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
  const isNumber = (it: number) => [it, it / 100].some(one => numbers.has(one))
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

/** Whether a clause after the first one begins like a task of its own. */
const asks = (unit: Unit, label: Label | undefined): boolean => {
  if (unit.joint === '' || label === 'context' || label === 'frame') return false
  return unit.joint === '.' || unit.joint === 'line' ? label === 'task' : isRequest(unit)
}

/** The values of a message that its answer does not have, in their order. Of one task without a list there are none. */
export const findUnsaid = ({ message, taken, named, own }: Said): string[] => {
  const text = message.slice(0, maxChars)
  const isCovered = toCovered(`${taken.join('\n')}\n${named}`)
  const isOwn = createOwnWords(own)
  const isTaken = toCovered(taken.join('\n'))
  const isTelling = (it: string) => !isEmpty(it) && !isDeed(it) && !isOwn(it) && !isTaken(it)
  const units = toUnits(text)
  const labels = toLabels(units)
  // A clause that asks for something whose first word the answer does not have. What it is done with may be in the answer.
  const isAsked = (unit: Unit) => asks(unit, labels[units.indexOf(unit)])
  const isUnread = (said: string) => {
    const [first] = splitWords(said).filter(it => /^\p{L}{3,}$/u.test(it) && !isEmpty(it))
    return first !== undefined && !isOwn(first) && !isCovered(first)
  }
  const lost = units.flatMap(unit => {
    const quoted = quotedIn(unit.text)
    const told = limitTakers.reduce((left, take) => take(left).rest, unit.text)
    const wished = takeDeadline(told).rest
    // A time limit is no value, unless it is said of something that nobody got.
    const said = splitWords(withoutWhole(wished)).some(it => /^\p{L}{3,}$/u.test(it) && isTelling(it)) ? told : wished
    const all = [...quoted, ...(said.match(number) ?? []), ...namesIn(said)]
    if (units.length > 1 && all.length === 0 && isAsked(unit) && isUnread(said))
      return [splitConnectors(unit.text.split(/[:：]\s/)[0] ?? '').rest]
    const isLost = units.length > 1 && all.every(it => !isCovered(it) && !splitWords(it).every(isOwn))
    return [...(isLost ? all : quoted), ...addressesIn(unit.text)].filter(it => !isCovered(it))
  })
  const listed = taken.filter(it => /^\p{L}./u.test(it)).flatMap(it => besideIn(text, it))
  return toFew([...new Set([...lost, ...listed.filter(it => !isCovered(it))])])
}
