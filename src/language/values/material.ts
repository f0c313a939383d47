import { isWholeText, type Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import { exactText, type Page } from '../fields/page.ts'
import { readJson } from '../fields/requirement.ts'
import { findFences, type Marked } from '../text/fences.ts'
import { findAround, findMaterial, isLabelled, startOfContent } from '../text/marked.ts'
import { findQuotations } from '../text/quotations.ts'
import { splitWords } from '../words/words.ts'
import { findAddresses } from './addresses.ts'

// Gives the marked material of a message to the field that takes it, byte for byte and whatever the field is called.

/** Returns the field that takes the material: the only required text, else the only text; then a topic in the same way. */
export const materialSlot = (slots: readonly Slot[]): Slot | undefined => {
  const [text, topic] = (['text', 'topic'] as const).map(kind => onlyOf(slots.filter(it => it.kind === kind)))
  return text?.required ?? (text?.isDoubtful ? undefined : (topic?.required ?? text?.only ?? topic?.only))
}
/** Beside a field for a whole text, the properties of things take no material. */
const onlyOf = (all: readonly Slot[]) => {
  const whole = all.filter(isWholeText)
  const slots = whole.length > 0 ? whole : all.filter(it => it.required)
  const required = slots.filter(it => it.required)
  return {
    required: required.length === 1 ? required[0] : undefined,
    isDoubtful: required.length > 1,
    only: slots.length === 1 ? slots[0] : undefined,
  }
}

/** The field that takes a fence or a letter: that of the material, else the only required field without a form of its own. */
const pasteSlot = (slots: readonly Slot[]): Slot | undefined => {
  const free = slots.filter(it => it.required && it.allowed.length === 0 && it.format === '')
  const [only, ...others] = free.filter(it => it.type === 'string' || it.type === 'array' || it.type === 'object')
  return materialSlot(slots) ?? (others.length === 0 ? only : undefined)
}

/**
 * Creates a test for whether a span is quoted or part of the material, and so states no limits of the hire. A span alone on its
 * line, or as the last clause, is the user's own: "translate: good day, at most 1 USDC".
 */
export const createMaterialTest = (text: string): ((span: { from: number; to: number }) => boolean) => {
  const quoted = [...findFences(text), ...findQuotations(text)]
  const start = startOfContent(text)
  return ({ from, to }) => {
    if (quoted.some(it => it.from <= from && to <= it.to)) return true
    if (from < start) return false
    const before = text.slice(start, from).trimEnd().at(-1) ?? ''
    const isLine =
      /(?:^|\n)[^\S\n]*$/.test(text.slice(Math.max(start, from - 80), from)) && /^[\s.]*(?:\n|$)/.test(text.slice(to, to + 80))
    const isLast = (before === '' || /[.,;!?)(\uE000]/.test(before)) && /^[\s.!)]*$/.test(text.slice(to))
    return !isLine && !isLast
  }
}

const isMessage = /\b(?:body|message|mail|note|letter|say|tell|told)\b/i
const saying =
  /(?<![\p{L}])(?:(?:say(?:ing)?|that says|which says|to say|with the (?:text|words|message)|reading)(?: that)?|(?:tell(?:ing)?|let|mail|e-?mail|message|text|write(?: to)?)\s(?:[^.;:!?\n\uE000]|\.(?=\S)){0,60}?(?:know )?that)\s+/iu

/** Fields for words that a thing bears. */
const isWritten =
  /\b(?:wording|motto|slogan|inscription|caption|engrav\w+|lettering|headline|(?:text|words?|letters?) (?:to(?: be)?|on|for) (?:set|print|paint|engrave|carve|stamp|embroider|put|the)\w*)\b/i
const bearing =
  /(?<!\p{L})(?:(?:that|which) (?:says?|reads?)|saying|reading|with the (?:text|words?|wording|message|inscription|motto))\s+/iu
const borneEnd = /(?:,\s(?=(?:by|before|for|at|under|to|and|in|please|thanks)(?!\p{L}))|[.;!?\n]|\s(?:please|pls|thanks)).*$/isu

/** Finds a message in indirect speech, "mail Ann that I am late", or the words on a thing, "mugs saying Home at last". */
const findTold = (text: string, { name, description }: Slot): Marked | undefined => {
  const field = `${splitWords(name).join(' ')} ${description}`
  const isBorne = isWritten.test(field)
  const match = isBorne ? bearing.exec(text) : isMessage.test(`${name} ${description}`) ? saying.exec(text) : null
  if (!match) return undefined
  const start = match.index + match[0].length
  const end = isBorne ? start + text.slice(start).replace(borneEnd, '').length : text.length
  return { from: start, start, end, to: text.length }
}

/** The words directly before a span, such as "before" in "before: ```…```". */
const labelOf = (text: string, { from }: Marked): string[] => splitWords(text.slice(Math.max(0, from - 40), from)).slice(-3)

/** Marked material with its exact text. */
type Exact = Marked & { text: string }
const toExact = (page: Page, it: Marked): Exact => ({ ...it, text: exactText(page, it) })

const give = (filling: Filling, slot: Slot, it: Exact): void => {
  if (filling.give(slot, slot.type === 'string' ? it.text : readJson(it.text))) filling.page.take(it.from, it.to)
}

/** Gives several fences or quotations to as many required texts: by the names before them, else in their order. */
const readSeveral = (filling: Filling, all: readonly Exact[]): void => {
  const open = filling.open('text').filter(it => it.required)
  if (open.length < 2 || all.length !== open.length) return
  const named = all.map(it =>
    open.find(slot => labelOf(filling.page.whole, it).some(word => splitWords(slot.name).includes(word))),
  )
  const isNamed = new Set(named.filter(Boolean)).size === all.length
  for (const [at, it] of all.entries()) {
    const slot = isNamed ? named[at] : open[at]
    if (slot) give(filling, slot, it)
  }
}

/** Gives material that contains fences to one field, with the fences in it. */
const giveAround = (filling: Filling, around: Exact): void => {
  const slot = pasteSlot(filling.slots)
  if (slot && !filling.values.has(slot.name)) give(filling, slot, around)
}

/** Gives fenced blocks to the fields that take them. No other reader looks into a fenced block that a field takes. */
export const readFenced = (filling: Filling): void => {
  const { page } = filling
  // No reader ran before, so the exact text of a block is in `whole`, with all its blanks.
  const all = findFences(page.whole).map(it => ({ ...it, text: page.whole.slice(it.start, it.end) }))
  const [first, last] = [all[0], all.at(-1)]
  if (!first || !last) return
  const around = findAround(page.whole, all)
  if (around) {
    giveAround(filling, { ...around, text: page.whole.slice(around.start, around.end) })
    return
  }
  readSeveral(filling, all)
  const slot = pasteSlot(filling.slots)
  if (!slot || filling.values.has(slot.name)) return
  // Several blocks for one field stay together, with their fences.
  const joined = { from: first.from, start: first.from, end: last.to, to: last.to }
  const whole = all.length === 1 ? first : { ...joined, text: page.whole.slice(first.from, last.to) }
  give(filling, slot, whole)
  // A block that the field cannot take is asked for again. No part of it becomes a value.
  page.take(whole.from, whole.to)
}

const maxAddressChars = 200
const hasAddress = ({ slots }: Filling, said: string): boolean =>
  said.length <= maxAddressChars && slots.some(it => it.kind === 'address') && findAddresses(said).length > 0

/** Whether the word before a colon names another field: "names: Ann, Bo". */
const namesOther = ({ slots }: Filling, label: string | undefined, slot: Slot): boolean =>
  label !== undefined && slots.some(it => it !== slot && splitWords(it.name).includes(label))

/** Gives the marked material to the field that takes it. A topic on the line of its colon is left to `readRest`. */
export const readMaterial = (filling: Filling): void => {
  const { page } = filling
  const quotations = findQuotations(page.rest()).filter(it => !isLabelled(page.rest(), it))
  readSeveral(
    filling,
    quotations.map(it => toExact(page, it)),
  )
  const found = findMaterial(page.rest())
  const slot = found?.mark === 'letter' ? pasteSlot(filling.slots) : materialSlot(filling.slots)
  if (!slot || filling.values.has(slot.name)) return
  // An address after a colon belongs to the fields of the address.
  const isAddress = found?.mark === 'colon' && hasAddress(filling, page.rest().slice(found.start, found.end))
  const isOther = found?.mark === 'colon' && namesOther(filling, labelOf(page.rest(), found).at(-1), slot)
  const isRest = isAddress || isOther || (slot.kind === 'topic' && (found?.mark === 'colon' || found?.mark === 'lines'))
  const it = isRest ? undefined : (found ?? findTold(page.rest(), slot))
  if (it) give(filling, slot, toExact(page, it))
}
