import type { Json, JsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import type { LeftOutOf } from '../../ports.ts'
import { toSlot } from '../fields/fields.ts'
import { createFilling, type Filling } from '../fields/filling.ts'
import { createPage } from '../fields/page.ts'
import { toLeaves } from '../fields/requirement.ts'
import { readHireSentence } from '../rules/phrases.ts'
import { takeCategory, takeChain, takeDeadline } from '../text/limits.ts'
import { often } from '../values/quantities.ts'
import { currencies, plain } from '../words/intl.ts'
import { unitOf } from '../words/measures.ts'
import { toNumber } from '../words/numerals.ts'
import { usedMark } from '../words/used.ts'
import { createOwnWords, isDeed, isEmpty, isOfPrice } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'
import { splitChange, withoutLead } from './changes.ts'
import { withoutCorrected } from './corrections.ts'
import { withoutNames, withoutSlip } from './fillRequest.ts'
import { readTyped } from './read.ts'
import { readRest } from './rest.ts'

// Finds what of the user's messages no value took: numbers with their nouns, colours, lists and comments. Words of asking and
// the words that chose the offering are not left out, because nothing was lost with them.

const textsIn = (value: Json): string[] => {
  if (value === null || typeof value === 'boolean') return []
  return typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [String(value)]
}

const isLetterOrDigit = (char = '') => /[\p{L}\p{N}]/u.test(char)
/** Where a text stands, not as a part of a word or number; -1 if nowhere. */
const placeOf = (text: string, part: string): number => {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1))
    if (!isLetterOrDigit(text[at - 1]) && !isLetterOrDigit(text[at + part.length])) return at
  return text.indexOf(part) >= 0 && part.length > longChars ? text.indexOf(part) : -1
}
const longChars = 200

/** Marks what stands in the input as used. A field whose value stands in the message takes no other words of it. */
const takeValues = ({ page, values: taken }: Filling, values: JsonObject): void => {
  for (const [name, value] of Object.entries(values))
    for (const text of textsIn(value).filter(it => it !== '')) {
      const at = placeOf(page.rest().toLowerCase(), text.toLowerCase())
      if (at < 0) continue
      page.take(at, at + text.length)
      taken.set(name, value)
    }
}

const breaks = new RegExp(`(?=${usedMark})|(?<=${usedMark})(?!${usedMark})|[.!?…;:,()\\n]+(?=\\s|$|${usedMark})|\\s[-–—]\\s`, 'u')
const framed =
  /^\s*(?:hi|hello|hey|dear|good (?:morning|day|afternoon|evening)|thanks|thank you|many thanks|cheers|(?:kind |best )?regards|best(?: wishes)?|sincerely)(?!\p{L})/iu
const joint = /^(?:for|of|with|without|in|into|on|from|to|about|at|by|as|that|which|so|because|but|and|or|not|no)$/i
/** Words before a phrase that belong to it: "no watermark", "on a blue background". */
const kept = /^(?:no|not|without|with|for|on|in|at|by|from|to|about|under|over|like|only|more|less)$/i
/** A single word is left out only when it describes something by itself: a colour, a day. Others are words of the sentence. */
const describing =
  /^(?:red|blue|green|yellow|orange|purple|violet|pink|brown|black|white|gr[ae]y|gold(?:en)?|silver|beige|turquoise|teal|navy|tomorrow|today|tonight|yesterday|weekly|daily|monthly|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)$/i

type Word = { text: string; isNumber: boolean; isTelling: boolean; isOwn: boolean }
type Piece = {
  text: string
  isOwn(word: string): boolean
  /** It follows a value, which may be a number. */
  isAfterValue: boolean
}

const toWords = ({ text, isOwn }: Piece): Word[] =>
  text
    .split(/\s+/)
    .filter(Boolean)
    .map(it => {
      const lower = it.toLowerCase().replace(/^[^\p{L}\p{N}#@]+|[^\p{L}\p{N}%]+$|['’](?:s|re|m|ll|d|ve)$/gu, '')
      const parts = splitWords(lower)
      const isFrame = parts.every(part => isEmpty(part) || isDeed(part) || isOfPrice(part))
      const isListed = parts.every(isOwn)
      return {
        text: it,
        isNumber: /\d/.test(lower) || toNumber(lower) > 1,
        isOwn: isListed && !isFrame,
        isTelling: !isFrame && !isListed && parts.length > 0,
      }
    })

const isUnit = (word: string) => unitOf(word.toLowerCase()) !== undefined || currencies().has(plain(word.replace(/s$/, '')))
const phraseChars = 80

/**
 * Returns the part of a piece that says something of its own, if there is one.
 * @param headWords words at its beginning that name the work and so chose the offering; of them only a description is left out
 */
const toPhrase = (piece: Piece, headWords: number): string | undefined => {
  if (framed.test(piece.text)) return undefined
  const all = toWords(piece)
  const words = piece.isAfterValue && isUnit(all[0]?.text ?? '') ? all.slice(1) : all
  const isTold = (it: Word, at: number) =>
    it.isNumber || (it.isTelling && (at >= headWords || (at > 0 && words[at + 1]?.isOwn === true)))
  const first = words.findIndex(isTold)
  if (first < 0) return undefined
  const last = words.findLastIndex((it, at) => isTold(it, at) || (it.isOwn && at > first))
  const lead = words.slice(0, first).findLastIndex(it => !isEmpty(it.text.toLowerCase()) && !kept.test(it.text))
  const from = words.findIndex((it, at) => at > lead && (at === first || kept.test(it.text)))
  const told = words.slice(from, last + 1)
  const [only, ...others] = told
  if (only && others.length === 0 && !only.isNumber && !describing.test(only.text)) return undefined
  const phrase = told.map(it => it.text).join(' ')
  return phrase.length > phraseChars ? `${phrase.slice(0, phraseChars - 1)}…` : phrase
}

/** In a letter of more words, only what sounds like a condition is named. The rest of it tells a story. */
const letterWords = 40
const condition = /\d|(?<!\p{L})(?:no|not|never|without|only|must|should|at least|at most|please)(?!\p{L})/iu

/** What no value took of one message. */
const leftOfMessage = (message: string, of: LeftOutOf, isFirst: boolean): string[] => {
  const { requirement, values, listing, now } = of
  const slots = toLeaves(requirement).map(toSlot)
  const told = slots
    .map(it => [it.path.join(' ').replaceAll('_', ' '), it.description, ...it.allowed.map(String)].join(' '))
    .join('\n')
  const isOwn = createOwnWords(`${withoutNames(listing)}\n${told}`)
  const request = isFirst ? withoutSlip(message, now, slots) : splitChange(withoutLead(withoutCorrected(message, now)).said).next
  const page = createPage(request)
  const filling = createFilling({ page, now, slots, isOwn, isName: isOwn })
  readTyped(filling)
  takeValues(filling, values)
  readRest(filling)
  const rest = page.rest()
  const isLetter = splitWords(rest).length > letterWords
  const pieces = rest.split(breaks).filter(it => it !== undefined)
  const start = pieces.findIndex(it => /\p{L}/u.test(it) && !framed.test(it))
  const phrases = pieces.flatMap((piece, at) => {
    if (!/[\p{L}\p{N}]/u.test(piece) || (isLetter && !condition.test(piece))) return []
    const text = [takeDeadline, takeChain, takeCategory].reduce((left, take) => take(left).rest, piece)
    const end = text
      .trim()
      .split(/\s+/)
      .findIndex((it, place) => place > 0 && joint.test(it))
    const headWords = isFirst && at === start ? (end < 0 ? Number.POSITIVE_INFINITY : end) : 0
    return toPhrase({ text, isOwn, isAfterValue: pieces[at - 1]?.includes(usedMark) === true }, headWords) ?? []
  })
  // Work that is done once is not done again.
  const repeated = [...rest.matchAll(often)].map(it => it[0]).filter(it => !phrases.some(phrase => phrase.includes(it)))
  return [...phrases, ...repeated]
}

const sameWords = (a: string, b: string) => splitWords(a).join(' ') === splitWords(b).join(' ')

/** The phrases of the user's messages that no value took, in their order and words. */
export const findLeftOut = (of: LeftOutOf): string[] => {
  const all = of.said.flatMap((it, at) => leftOfMessage(readHireSentence(it)?.task ?? it, of, at === 0))
  // What the user changed later is not left out.
  const changed = of.said.slice(1).map(it => splitChange(withoutLead(it).said).old)
  return [...new Set(all)].filter(it => !changed.some(old => sameWords(old, it))).slice(0, limits.leftOut)
}
