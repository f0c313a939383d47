import { splitWords } from '../../domain/words.ts'
import { angleQuotes, backticks, curlyQuotes, doubleQuotes } from '../quotations.ts'
import type { Slot } from './fields.ts'
import type { Filling } from './filling.ts'
import type { Page } from './page.ts'
import { isDeed, isEmpty } from './vocabulary.ts'

// Finds the material: the text that the agent should work on. It is a fenced block, a quotation, the text after a colon or the
// lines below.

const fence = /```[^\n`]{0,40}\n?([\s\S]{1,32768}?)```/
const quotes = [
  /"([^"\n]{1,32768})"/g,
  doubleQuotes,
  curlyQuotes,
  angleQuotes,
  /„([^„“”]{1,32768})[“”]/g,
  /(?<![\p{L}\p{N}])'([^'\n]{1,2000}(?:(?<=\p{L})'(?=\p{L})[^'\n]{1,2000}){0,20})'(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}])‘([^‘\n]{1,2000}?)’(?![\p{L}\p{N}])/gu,
  backticks,
]

export type Span = { from: number; to: number; text: string }

/** Returns all quotations in order. A quotation within another one is not listed separately. */
export const findQuotes = (text: string): Span[] => {
  const all = quotes.flatMap(pattern =>
    [...text.matchAll(pattern)].map(it => ({ from: it.index, to: it.index + it[0].length, text: (it[1] ?? '').trim() })),
  )
  const sorted = all.filter(it => it.text !== '').sort((a, b) => a.from - b.from || b.to - a.to)
  const outer: Span[] = []
  for (const it of sorted) if (it.from >= (outer.at(-1)?.to ?? 0)) outer.push(it)
  return outer
}

const greeting =
  /^\s*(?:dear|hi|hello|hey|good (?:morning|day|afternoon|evening)|to whom it may concern|greetings)(?![\p{L}])[^\n:]{0,60}[,:.!]?\s*$/iu
/** Separates a request from its material: a colon before whitespace, or a line end. */
const mark = /[:：](?=\s)|\n/g
const maxMarks = 20

const mailHeader = /(?<=^|[\n.?!:]\s{0,3})(from|subject|sent|cc)$/i

/** Returns where the material begins, if a colon or line end separates it from the request. */
const startOf = (text: string): number | undefined => {
  let tried = 0
  for (const match of text.matchAll(mark)) {
    tried += 1
    if (tried > maxMarks) return undefined
    const before = text.slice(0, match.index)
    const line = before.slice(before.lastIndexOf('\n') + 1)
    if (!text.slice(match.index + 1).trim()) return undefined
    if (greeting.test(line) || !/\p{L}/u.test(line)) continue
    // The header lines of a pasted mail belong to the material.
    const header = mailHeader.exec(before)
    if (header && match[0] !== '\n') return header.index + header[0].length - (header[1] ?? '').length
    return match.index + 1
  }
  return undefined
}

const closingChars = 120
const farewell =
  /^\s*(?:thanks?|thank you|cheers|kind regards|best(?: regards| wishes)?|regards|sincerely|that['’]?s (?:all|it)|please|pls|many thanks|ta)(?!\p{L})/iu
const nextTask =
  /(?<=[.!?]["'”’]?\s)(?:(?:and )?(?:after(?:wards| that| this)|then|next|once (?:that|it|you|this)['’]?s? (?:is |are )?(?:done|finished|ready))),? \p{L}+ (?:it|that|them|this|both)(?!\p{L})[^.!?\n]{0,120}[.!?]?\s*$/iu

/** Whether the last paragraph addresses the butler. */
const isClosing = (text: string): boolean => {
  if (text.length > closingChars) return false
  if (farewell.test(text)) return true
  const words = splitWords(text)
  return words.length > 0 && words.filter(it => isEmpty(it) || isDeed(it)).length / words.length >= 0.6
}

/** Returns where the material ends: before a closing remark to the butler or before a second task. */
const endOf = (text: string, from: number): number => {
  const body = text.slice(from)
  const last = body.search(/\n\s*\n[^\n]*(?:\n[^\n]+)?\s*$/)
  const closing = last >= 0 && body.slice(0, last).trim() && isClosing(body.slice(last).trim()) ? from + last : text.length
  const tail = Math.max(from, closing - 200)
  const next = nextTask.exec(text.slice(tail, closing))
  return next ? tail + next.index : closing
}

const spanOf = (text: string, from: number, to: number): Span => ({ from, to, text: text.slice(from, to).trim() })

const labelled = /(?:\b(?:subject|title|titled|called|named|name|heading|headline|voice|brand|branch)(?: line| is| of)?:?\s*)$/i
/** Whether a word such as "title" or "called" directly precedes a quotation. */
export const isLabelled = (text: string, { from }: Span): boolean => labelled.test(text.slice(Math.max(0, from - 24), from))

/** Returns the material that a request marks, or undefined. */
export const findMaterial = (text: string): Span | undefined => {
  const fenced = fence.exec(text)
  if (fenced) return { from: fenced.index, to: fenced.index + fenced[0].length, text: (fenced[1] ?? '').trim() }
  const from = startOf(text)
  const quoted = findQuotes(text).filter(it => !isLabelled(text, it))
  const longest = quoted.toSorted((a, b) => b.text.length - a.text.length)[0]
  const colon = from === undefined ? undefined : spanOf(text, from, endOf(text, from))
  if (!colon || !longest) return longest ?? colon
  const isWholeQuote = longest.from >= colon.from && longest.text.length >= colon.text.length * 0.6
  const isBefore = longest.from < colon.from
  return isWholeQuote || (isBefore && longest.text.length > 20) ? longest : colon
}

/** Returns the field that takes the material: the only required text, else the only text. */
export const materialSlot = (slots: readonly Slot[]): Slot | undefined => {
  const texts = slots.filter(it => it.kind === 'text')
  const required = texts.filter(it => it.required)
  return required.length === 1 ? required[0] : texts.length === 1 ? texts[0] : undefined
}

const fences = new RegExp(fence, 'g')
const colons = /[:：](?=\s)/g

/**
 * Returns where a colon begins the material. A line end does not count here, because users write their wishes on separate
 * lines.
 */
const afterColon = (text: string): number => {
  let tried = 0
  for (const { index } of text.matchAll(colons)) {
    tried += 1
    if (tried > maxMarks) break
    const line = text.slice(text.lastIndexOf('\n', index) + 1, index)
    if (/\p{L}/u.test(line) && !greeting.test(line)) return index + 1
  }
  return text.length
}

/**
 * Creates a test for whether a span is quoted or part of the material, and so states no limits of the hire. A span alone on its
 * line, or as the last clause, is the user's own: "translate: good day, at most 1 USDC".
 */
export const createMaterialTest = (text: string): ((span: { from: number; to: number }) => boolean) => {
  const fenced = [...text.matchAll(fences)].map(it => ({ from: it.index, to: it.index + it[0].length }))
  const quoted = [...fenced, ...findQuotes(text)]
  const start = afterColon(text)
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

const isMessage = /\b(?:body|message|mail|note|letter)\b/i
const saying =
  /(?<![\p{L}])(?:(?:saying|that says|which says|to say|with the (?:text|words|message)|reading)(?: that)?|(?:tell(?:ing)?|let|mail|e-?mail|message|text|write(?: to)?)\s(?:[^.;:!?\n\uE000]|\.(?=\S)){0,60}?(?:know )?that)\s+/iu

/** Finds a message in indirect speech: "mail Ann that I am late". */
const findTold = (text: string, { name, description }: Slot): Span | undefined => {
  if (!isMessage.test(`${name} ${description}`)) return undefined
  const match = saying.exec(text)
  return match ? spanOf(text, match.index + match[0].length, text.length) : undefined
}

const isOpen = (page: Page, { from, to }: Span) => !page.rest().slice(from, to).includes('\uE000')

/** Reads a labelled choice or title after the material, such as "Voice Bruno" in "…: Doors close at nine. Voice Bruno". */
const readTail = (filling: Filling): void => {
  const { page } = filling
  for (const slot of filling.open('choice', 'topic', 'string', 'name')) {
    const label = splitWords(slot.name).at(-1) ?? ''
    const values = slot.allowed.map(it => splitWords(String(it)).join(String.raw`[\s_-]`)).join('|')
    const isTitle = /^(?:subject|title|heading|headline)$/.test(label)
    if (label.length < 4 || (values === '' && !isTitle)) continue
    const value = values || String.raw`[^.,;:\n\uE000]{2,80}`
    const match = new RegExp(
      String.raw`[.,;!?\n]\s*(?:(?:with|in|use) )?(?:the )?${label}(?: line| is)?:?\s+(${value})[.!]?\s*$`,
      'iu',
    ).exec(page.rest())
    const said = match?.[1]?.trim() ?? ''
    const choice = slot.allowed.find(it => String(it).toLowerCase() === said.toLowerCase()) ?? said
    if (match && filling.give(slot, choice))
      page.take(match.index + (/^[,;]/.test(match[0]) ? 0 : 1), match.index + match[0].length)
  }
}

const usedAtEnd = /[\uE000\s]+$/
/** Gives the whole material to the field that takes it. */
export const readMaterial = (filling: Filling): void => {
  const slot = materialSlot(filling.slots)
  if (!slot || filling.values.has(slot.name)) return
  const { page } = filling
  readTail(filling)
  const found = findMaterial(page.rest()) ?? findTold(page.rest(), slot)
  if (!found) return
  // Words within the material stay part of it even if another reader has used them.
  const end = page.rest().slice(found.from, found.to).replace(usedAtEnd, '').length
  const text = isOpen(page, found) ? found.text : page.whole.slice(found.from, found.from + end).trim()
  if (filling.give(slot, text.replace(/^(["“'‘])([\s\S]*)["”'’]$/, '$2'))) page.take(found.from, found.to)
}
