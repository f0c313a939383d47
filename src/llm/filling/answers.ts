import type { Json, JsonObject } from '../../domain/json.ts'
import { splitWords } from '../../domain/words.ts'
import { correctionPhrases } from './corrections.ts'
import { isWords, type Slot } from './fields.ts'
import { createFilling, type Filling } from './filling.ts'
import { convert } from './labels.ts'
import { createPage } from './page.ts'
import { readTyped } from './read.ts'
import type { Asked } from './request.ts'
import { readRest, restSlot } from './rest.ts'
import { isEmpty } from './vocabulary.ts'
import { type Limits, readWishes } from './wishes.ts'

// The answer to an open question is a value of the asked field, unless it is only a reply such as "thanks".

/** Matches replies that give no value. */
const noValue =
  /^(?:(?:ok(?:ay)?|thanks?|thank you|yes|yes please|yeah|yep|yup|no|nope|sure|please|pls|plz|i don['’]?t know|(?:i )?(?:have|am|['’]m) no idea|no idea|not sure|whatever|any(?:thing)?|help|why|what|how|hm+|cancel|stop|forget it|never ?mind|\?+)[\s,.!?]*)+$/i
/** Matches everything up to a correction within the message. The text after it is what the user means. */
const selfCorrection = new RegExp(
  String.raw`^.{0,200}?(?:[.,;…!]|\s-)+\s*(?:${correctionPhrases}|actually,?(?: no)?|no)[,:.]?\s+(?=\S)`,
  'i',
)
const lead =
  /^(?:it(?:['’]?s| is)(?: (?:called|named|for|about|on|in|at|from))?|that(?:['’]s| is| would be)|i(?:['’]?m| am) (?:in|from|at)|(?:my|the) ([\p{L} ]{1,40}?) (?:is|are)|for|about|in|at|from|to|on|with|use|take|make it|let['’]?s say|say|please)\s+/iu
const shortKinds = new Set([
  'string',
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
 * Extracts the value from an answer sentence: "It's 42." becomes "42". Returns undefined when the sentence is about another
 * field.
 */
const toBare = (text: string, slot: Slot): string | undefined => {
  if (!shortKinds.has(slot.kind)) return text
  const [said, what] = lead.exec(text) ?? []
  if (said === undefined) return text
  const own = new Set(splitWords(`${slot.name} ${slot.description}`))
  if (what !== undefined && !splitWords(what).some(it => own.has(it))) return undefined
  return text.slice(said.length).replace(/[.!]+$/, '')
}

const bareWords = 6
const isShort = (text: string) => splitWords(text).length <= bareWords

/** Tries to use the whole message as the value of a field. */
const giveWhole = (filling: Filling, slot: Slot, text: string): boolean => {
  const bare = toBare(text, slot)
  const value: Json | undefined = bare === undefined ? undefined : convert(bare.replace(/[\s,;]+$/, ''), slot)
  const isForm = slot.kind === 'url' || slot.kind === 'email' || slot.kind === 'wallet' || slot.format === 'date'
  if (value === undefined || isForm || (!isWords(slot) && !isShort(text))) return false
  return filling.give(slot, value, false)
}

const readLines = (filling: Filling, slots: Slot[]): boolean => {
  const lines = filling.page.whole.split('\n').filter(it => it.trim())
  if (slots.length < 2 || lines.length !== slots.length) return false
  const given = slots.filter((slot, at) => giveWhole(filling, slot, (lines[at] ?? '').trim()))
  return given.length > 0
}

/** Reads the answer to a question about one or more fields. Known values of other fields are kept. */
export const readAnswer = (filling: Filling, { asked, known }: { asked: Asked; known: JsonObject }): Limits => {
  const whole = filling.page.whole.trim()
  if (noValue.test(whole) && asked.times < 2 && !askedYesNo(filling, asked)) return {}
  const said = whole.length < 400 ? whole.replace(selfCorrection, '') : whole
  const wished = readWishOnly(filling, said)
  if (wished) return wished
  const open = filling.slots.filter(it => !Object.hasOwn(known, it.name) || asked.fields.includes(it.name))
  const wanted = open.filter(it => asked.fields.includes(it.name))
  const [only, ...others] = wanted
  // When only a text was asked for, the whole message is that text, including its quotes, dates and colons.
  if (only?.kind === 'text' && others.length === 0 && !noValue.test(said)) {
    const form = createFilling({ ...filling, page: createPage(said), slots: [only] })
    readTyped(form)
    const marked = form.values.get(only.name)
    if (!(isWhole(said, marked) ? giveWhole(filling, only, said) : filling.give(only, marked))) giveWhole(filling, only, said)
    filling.page.take(0, filling.page.whole.length)
    return {}
  }
  if (readLines(filling, wanted)) return {}
  const inner = createFilling({ ...filling, page: createPage(said), slots: open, isOwn: filling.isName })
  const limits = readTyped(inner)
  const isFound = [...inner.values.keys()].some(it => asked.fields.includes(it)) || inner.typed.size > 0
  if (restSlot(inner) && asked.fields.includes(restSlot(inner)?.name ?? '')) {
    const slot = restSlot(inner)
    if (!isFound && slot) giveWhole(inner, slot, said)
    if (slot && toBare(said, slot) !== undefined) readRest(inner, 1)
  }
  if (!isFound && inner.values.size === 0) takeWhole(inner, wanted, { said, times: asked.times })
  for (const [name, value] of inner.values) {
    const slot = open.find(it => it.name === name)
    if (slot) filling.give(slot, value, inner.typed.has(name))
  }
  filling.page.take(0, filling.page.whole.length)
  return limits
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

const askedYesNo = (filling: Filling, { fields }: Asked) =>
  filling.slots.some(it => fields.includes(it.name) && it.kind === 'boolean')

/**
 * Whether the whole message is the text although part of it is marked by a colon or quotes. A lead-in such as "here it is:"
 * says it is not.
 */
const isWhole = (said: string, marked: Json | undefined): boolean =>
  typeof marked !== 'string' || !/^(?:it['’]?s|here(?:['’]?s| it is| you go)?|this(?: one)?|the text(?: is)?|["“'‘«])/i.test(said)

/**
 * Uses the user's own words for the first asked field when no value has the right form. After two questions, any words are
 * accepted.
 */
const takeWhole = (filling: Filling, wanted: Slot[], { said, times }: { said: string; times: number }): void => {
  const open = wanted.filter(it => !filling.values.has(it.name))
  const [first] = open
  if (!first) return
  const words = open.filter(it => isWords(it) || it.kind === 'place')
  const best = open.length === 1 || times > 1 ? first : words[0]
  if (best && (giveWhole(filling, best, said) || times < 2)) return
  for (const slot of open) if (slot.type === 'string' && filling.give(slot, said, false)) return
}
