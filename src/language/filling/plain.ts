import { isObject, type JsonObject, parseJson } from '../../domain/json.ts'
import { createFilling } from '../fields/filling.ts'
import { createPage } from '../fields/page.ts'
import { findFences } from '../text/fences.ts'
import { findMaterial } from '../text/marked.ts'
import { readWishes } from '../values/wishes.ts'
import { isDeed, isEmpty } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'
import type { Asked, Filled } from './request.ts'

type PlainOf = {
  text: string
  isOwn(word: string): boolean
  asked: Asked | undefined
  known: JsonObject | undefined
  now: number
}

/** Whether words ask for something, so that the text after them is the material. */
const isRequest = (words: string, isOwn: PlainOf['isOwn']): boolean => {
  const all = splitWords(words)
  // "TypeError: …" belongs to the text itself.
  if (/^\s*\S*(?:\p{Ll}\p{Lu}|[_!./])\S*\s*[:：]?\s*$/u.test(words)) return false
  const framing = all.filter(it => isEmpty(it) || isDeed(it) || isOwn(it))
  return all.length > 0 && framing.length / all.length >= 0.5
}

const quotedShare = 0.5
/** Returns the text for an offering without a schema: the marked material after a request, else the whole message. */
const toText = (text: string, isOwn: PlainOf['isOwn']): string => {
  const found = findMaterial(text)
  if (!found) return text.trim()
  const content = text.slice(found.start, found.end)
  // A short quotation is a title or a name within the request.
  const isTitle = found.mark === 'quotation' && content.length < text.length * quotedShare && splitWords(content).length < 4
  return !isTitle && isRequest(text.slice(0, found.from), isOwn) ? content : text.trim()
}

/** The text of a form with the one field `text`, as the page sends it; undefined for any other message. */
const namedText = (message: string): string | undefined => {
  const value = message.startsWith('{') ? parseJson(message) : undefined
  return isObject(value) && Object.keys(value).length === 1 && typeof value.text === 'string'
    ? value.text
    : /^text:[ \t]*(\S[\s\S]*)$/i.exec(message)?.[1]
}

/** Words of a short order, in which an offering is named and nothing is said for it: "I need a eulogy", not "write a haiku". */
const orderWords = 9
const wanting = /^\W*(?:(?:hi|hello|hey|ok(?:ay)?|please)\W+)*(?:i|we)(?!\p{L})/iu
const isBareOrder = (text: string, isOwn: PlainOf['isOwn']): boolean => {
  const words = splitWords(text)
  return (
    wanting.test(text) &&
    words.length <= orderWords &&
    !/[?？\d"“]/.test(text) &&
    words.every(it => it === 'ask' || (!isDeed(it) && (isEmpty(it) || isOwn(it))))
  )
}

/** Fills an offering that takes plain text. The value has the name `text`. */
export const readPlain = ({ text, isOwn, asked, known, now }: PlainOf): Filled => {
  const page = createPage(text)
  const limits = readWishes(createFilling({ page, now, slots: [], isOwn, isName: isOwn }))
  const named = asked || known ? namedText(text) : undefined
  const isFenced = findFences(text).length > 0
  const said = named ?? (asked && !isFenced ? text.trim() : toText(text, asked && isFenced ? () => true : isOwn))
  const isTelling = splitWords(said).some(it => !isEmpty(it)) && (asked || known || !isBareOrder(said, isOwn))
  const isGiven = said !== '' && (isTelling || named !== undefined)
  const values: JsonObject = isGiven ? { text: said } : { ...known }
  return {
    values,
    missing: 'text' in values ? [] : ['text'],
    given: isGiven ? ['text'] : [],
    leftover: isGiven ? '' : text.trim(),
    untyped: text.trim(),
    limits,
    typed: 0,
  }
}
