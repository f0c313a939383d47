import { readConsent } from '../../domain/consent/readConsent.ts'
import type { Json, JsonObject } from '../../domain/json.ts'
import { isWholeText, isWords, type Kind, type Slot } from '../fields/fields.ts'
import { createFilling, type Filling } from '../fields/filling.ts'
import { createPage } from '../fields/page.ts'
import { findFences } from '../text/fences.ts'
import { asksBack, withoutStalling } from '../text/stalling.ts'
import { convert, readMarked } from '../values/labels.ts'
import { type Limits, readWishes } from '../values/wishes.ts'
import { kindOfWord } from '../words/fieldKinds.ts'
import { isEmpty } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'
import { readChange } from './changes.ts'
import { withoutCorrected } from './corrections.ts'
import { readTyped } from './read.ts'
import type { Asked } from './request.ts'
import { readRest, restSlot } from './rest.ts'

// The answer to an open question is a value of the asked field, unless it is only a reply such as "thanks".

/** Matches replies that give no value. */
const noValue =
  /^(?:(?:ok(?:ay)?|thanks?|thank you|please|pls|plz|i don['’]?t know|(?:i )?(?:have|am|['’]m) no idea|no idea|not sure|whatever|any(?:thing)?|help|why|what|how|hm+|cancel|stop|forget it|never ?mind|\?+)[\s,.!?]*)+$/i
const lead =
  /^(?:it(?:['’]?s| is)(?: (?:called|named|for|about|on|in|at|from))?|that(?:['’]s| is| would be)|i(?:['’]?m| am) (?:in|from|at)|(?:my|the) ([\p{L} ]{1,40}?) (?:is|are)|for|about|in|at|from|to|on|with|use|take|make it|let['’]?s say|say|please)\s+/iu
const shortKinds = new Set([
  'text',
  'name',
  'place',
  'country',
  'language',
  'date',
  'time',
  'code',
  'unit',
  'manner',
  'topic',
  'number',
  'choice',
  'currency',
])

/**
 * Extracts the value from an answer sentence: "It's 42." becomes "42". Other texts stay as they are. Returns undefined
 * when the sentence is about another field.
 */
const toBare = (text: string, slot: Slot): string | undefined => {
  if (!shortKinds.has(slot.kind)) return text
  const [said, what] = lead.exec(text) ?? []
  if (said === undefined) return text
  const own = new Set(splitWords(`${slot.name} ${slot.description}`))
  const words = splitWords(what ?? '')
  const isNamed = words.some(it => own.has(it))
  const value = text.slice(said.length).replace(/[.!]+$/, '')
  if (slot.kind !== 'text') return what !== undefined && !isNamed ? undefined : value
  if (words.some(it => kindOfWord(it) !== undefined) && !isNamed) return undefined
  return isNamed || /^\S*\d\S*$/.test(value) ? value : text
}

const bareWords = 6
const isShort = (text: string) => splitWords(text).length <= bareWords

/** Kinds whose values have a form of their own. Only a reader of that form finds them; no other words are taken for one. */
const formKinds = new Set<Kind>(['url', 'email', 'wallet', 'phone', 'date', 'time', 'number'])

/** Tries to use the whole message as the value of a field. */
const giveWhole = (filling: Filling, slot: Slot, text: string): boolean => {
  const bare = toBare(text, slot)
  const value: Json | undefined = bare === undefined || slot.kind === 'text' ? bare : convert(bare.replace(/[\s,;]+$/, ''), slot)
  const isForm = formKinds.has(slot.kind) && !hasDigit.test(text)
  if (value === undefined || isForm || (!isWords(slot) && !isShort(text))) return false
  return filling.give(slot, value, false)
}
const hasDigit = /\d/

const readLines = (filling: Filling, asked: Slot[]): boolean => {
  const lines = filling.page.whole.split('\n').filter(it => it.trim())
  const slots = lines.length === asked.length ? asked : asked.filter(it => it.required)
  if (slots.length < 2 || lines.length !== slots.length) return false
  // Lines with the names of their fields are a form, in any order.
  const form = createFilling({ ...filling, page: createPage(filling.page.whole), slots })
  readMarked(form)
  if (form.values.size > 0) return false
  const given = slots.filter((slot, at) => giveWhole(filling, slot, (lines[at] ?? '').trim()))
  return given.length > 0
}

/** Returns the words after a correction. A text that was asked for is not corrected: it is taken as it stands. */
const corrected = (whole: string, now: number): string => (whole.length < 400 ? withoutCorrected(whole, now) : whole)

/** Reads an answer that is the text asked for: the part that is marked after a lead-in such as "here it is:", else all of it. */
const readText = (filling: Filling, slot: Slot, said: string): void => {
  const form = createFilling({ ...filling, page: createPage(said), slots: [slot] })
  readMarked(form)
  const named = form.values.get(slot.name)
  if (named === undefined) readTyped(form)
  const marked = form.values.get(slot.name)
  if (named !== undefined) filling.give(slot, named)
  else if (!(isWhole(said, marked) ? giveWhole(filling, slot, said) : filling.give(slot, marked))) giveWhole(filling, slot, said)
  filling.page.take(0, filling.page.whole.length)
}

/** Reads the answer to a question about one or more fields. Known values of other fields are kept. */
export const readAnswer = (filling: Filling, { asked, known }: { asked: Asked; known: JsonObject }): Limits => {
  const isYesNo = askedYesNo(filling, asked)
  const isTextAsked = filling.slots.some(it => asked.fields.includes(it.name) && takesQuestions(it))
  const whole = isTextAsked || isYesNo ? filling.page.whole.trim() : withoutStalling(filling.page.whole)
  const isBack = asksBack(whole) && !isTextAsked
  const open = filling.slots.filter(it => !Object.hasOwn(known, it.name) || asked.fields.includes(it.name))
  const wanted = open.filter(it => asked.fields.includes(it.name))
  // "Go" may be a choice, and "ja" is none of a title.
  const isConsent = !wanted.some(it => it.kind === 'choice') && /^(?:yes|no|cancel)$/.test(readConsent(whole) ?? '')
  if (((noValue.test(whole) || isConsent) && !isYesNo) || whole === '') return {}
  const [only, ...others] = wanted
  const said = only?.kind === 'text' && others.length === 0 ? whole : corrected(whole, filling.now)
  const wished = readWishOnly(filling, said)
  if (wished) return wished
  if (!isTextAsked && readCorrection(filling, known)) return {}
  // When only a text was asked for, the whole message is that text, including its quotes, dates and colons.
  if (only?.kind === 'text' && others.length === 0 && !noValue.test(said) && !isBack) {
    readText(filling, only, said)
    return {}
  }
  if (readLines(filling, wanted)) return {}
  if (only && others.length === 0 && readShort(filling, only, said)) return {}
  const inner = createFilling({ ...filling, page: createPage(said), slots: open, isOwn: filling.isName, isListed: () => false })
  const limits = readTyped(inner)
  const isFound = [...inner.values.keys()].some(it => asked.fields.includes(it)) || inner.typed.size > 0
  if (isBack && !isFound) return limits
  if (restSlot(inner) && asked.fields.includes(restSlot(inner)?.name ?? '')) {
    const slot = restSlot(inner)
    if (!isFound && slot) giveWhole(inner, slot, said)
    if (slot && toBare(said, slot) !== undefined) readRest(inner, 1)
  }
  if (!isFound && inner.values.size === 0) takeWhole(inner, wanted, said)
  for (const [name, value] of inner.values) {
    const slot = open.find(it => it.name === name)
    if (slot) filling.give(slot, value, inner.typed.has(name))
  }
  filling.page.take(0, filling.page.whole.length)
  return limits
}

const fewCapitals = /^(?=.*\d)[A-Z0-9]{1,12}(?:[ ./-][A-Z0-9]{1,12}){0,6}$/
/** Reads an answer that is nothing but the value: yes or no in any of its ways, or a code with its blanks. */
const readShort = (filling: Filling, slot: Slot, said: string): boolean => {
  const consent = slot.kind === 'boolean' ? readConsent(said) : undefined
  const isYes = consent === 'yes' ? true : consent === 'no' ? false : undefined
  const choice = slot.allowed.find(it => /^(?:true|yes)$/i.test(String(it)) === isYes)
  const value = slot.kind === 'code' && fewCapitals.test(said) ? said : isYes === undefined ? undefined : (choice ?? isYes)
  return filling.give(slot, value)
}

const cheaper = /^(?:make|it|cheaper|cheap|faster|sooner|quicker|please|but|and|i|can|budget|limit|price)$/i
/** Returns the limits of a message that states only the hire's price or deadline. Such a message answers no question. */
const readWishOnly = (filling: Filling, said: string): Limits | undefined => {
  if (said.length > 200) return undefined
  const inner = createFilling({ ...filling, page: createPage(said), slots: [] })
  const limits = readWishes(inner)
  const left = splitWords(inner.page.rest().replaceAll('\uE000', ' '))
  const isOnly = Object.keys(limits).length > 0 && left.every(it => cheaper.test(it) || isEmpty(it))
  const isNumberAsked = filling.slots.some(it => it.kind === 'number' || it.kind === 'time' || it.kind === 'date')
  return isOnly && !isNumberAsked ? limits : undefined
}

const correcting =
  /^\W*(?:(?:oh|no|ok(?:ay)?|and|but|well|hm+|ah)[\s,.]+)*(?:wait|sorry|actually|i mean(?:t)?|make (?:it|that)|change (?:it|that|the))(?!\p{L})/iu

/** Reads a correction of a known value, which answers nothing: "oh wait, there are three of us". */
const readCorrection = (filling: Filling, known: JsonObject): boolean => {
  const { whole } = filling.page
  if (!correcting.test(whole)) return false
  const inner = createFilling({ ...filling, page: createPage(whole) })
  readChange(inner, known)
  const changed = [...inner.typed].filter(name => Object.hasOwn(known, name))
  for (const slot of filling.slots.filter(it => changed.includes(it.name))) filling.give(slot, inner.values.get(slot.name))
  if (changed.length > 0) filling.page.take(0, filling.page.whole.length)
  return changed.length > 0
}

const askedYesNo = (filling: Filling, { fields }: Asked) =>
  filling.slots.some(it => fields.includes(it.name) && it.kind === 'boolean')

/**
 * Whether the whole message is the text although part of it is marked by a colon or quotes. A lead-in such as "here it is:" or
 * a fence says it is not.
 */
const isWhole = (said: string, marked: Json | undefined): boolean =>
  typeof marked !== 'string' ||
  (findFences(said).length === 0 &&
    !/^(?:it['’]?s|here(?:['’]?s| it is| you go)?|this(?: one)?|the text(?: is)?|["“'‘«])/i.test(said))

/** Whether any sentence may be the value of a field, a question as well. */
const takesQuestions = (slot: Slot) => (slot.kind === 'text' || slot.kind === 'topic') && isWholeText(slot)

const question = /\?\s*$|^(?:how|what|why|who|when|where|which|is|are|does|do|can|could|would|will)\b/i
/** Uses the user's own words for the asked field when no value has a form. A question about the offer is no value. */
const takeWhole = (filling: Filling, wanted: Slot[], said: string): void => {
  const open = wanted.filter(it => !filling.values.has(it.name))
  const words = open.filter(it => isWords(it) || it.kind === 'place')
  const best = open.length === 1 ? open[0] : words[0]
  if (best && (best.kind === 'text' || best.kind === 'topic' || !question.test(said))) giveWhole(filling, best, said)
}
