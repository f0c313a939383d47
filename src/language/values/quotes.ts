import type { Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import { assign } from '../forms/assign.ts'
import type { Marked } from '../text/fences.ts'
import { findMaterial, isLabelled } from '../text/marked.ts'
import { findQuotations } from '../text/quotations.ts'
import { isEmpty } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'
import { materialSlot } from './material.ts'

const besideChars = 30
const wordsBefore = (text: string, { from }: Marked) =>
  splitWords(
    text
      .slice(Math.max(0, from - besideChars), from)
      .split(/[,;]|(?<!\p{L})and(?!\p{L})/iu)
      .at(-1) ?? '',
  ).filter(it => !/^(?:the|an?|my)$/.test(it))
const wordAfter = (text: string, { to }: Marked) => splitWords(text.slice(to, to + besideChars))[0] ?? ''

const placing = /^(?:in|at|near|from|to|around)$/
const titling = /^(?:titled|entitled|named|called)$/
/** The end of the words before a quotation. */
const led = /[\p{L}\p{N}]\s*[:=]?\s*$/u
const digits = /^[\d\s.,:/-]+$/
const scores = { before: 4, titled: 3, after: 2, placed: 1 }

/** How surely a quotation is the value of a field: by a word of the field before or after it, or by how it is led. */
const scoreOf = (text: string, quote: Marked, slot: Slot): number | undefined => {
  const own = splitWords(slot.name).filter(it => it.length > 1 && !isEmpty(it))
  const before = wordsBefore(text, quote)
  if (before.slice(-3).some(it => own.includes(it))) return scores.before
  if (digits.test(text.slice(quote.start, quote.end)) && slot.kind !== 'code') return undefined
  const isTitle = slot.kind === 'name' || own.some(it => /^(?:title|name)$/.test(it))
  if (isTitle && titling.test(before.at(-1) ?? '')) return scores.titled
  if (own.includes(wordAfter(text, quote))) return scores.after
  return slot.kind === 'place' && placing.test(before.at(-1) ?? '') ? scores.placed : undefined
}

/** A field for the name or title of a thing. */
const isTitled = ({ kind, name, description }: Slot) =>
  kind === 'name' || /\b(?:name|title)\b/i.test(`${name.replaceAll('_', ' ')} ${description}`)

/**
 * Reads quotations next to a word of their field. Where no field takes material, the longest other quotation becomes the value
 * of the only required name.
 */
export const readQuotes = (filling: Filling): void => {
  const { page } = filling
  const text = page.rest()
  const found = findQuotations(text)
  const contentOf = (it: Marked) => text.slice(it.start, it.end)
  const give = (slot: Slot, it: Marked) => {
    if (filling.give(slot, contentOf(it))) page.take(it.from, it.to)
  }
  const material = materialSlot(filling.slots)
  const mark = findMaterial(text)?.mark
  // A quotation inside the material is part of it.
  const isDecided = mark !== undefined && mark !== 'quotation'
  const open = filling.open('topic', 'name', 'text', 'code', 'place')
  // In code or JSON, other signs stand between a word and a quotation.
  const isLed = (it: Marked, { name }: Slot) =>
    splitWords(name).includes(wordsBefore(text, it).at(-1) ?? '') &&
    led.test(text.slice(Math.max(0, it.from - besideChars), it.from))
  const toScore = (it: Marked, of: Slot) => (isDecided && of === material && !isLed(it, of) ? undefined : scoreOf(text, it, of))
  for (const [quote, slot] of assign(found, open, toScore)) give(slot, quote)
  if (material) return
  const named = filling.open('topic', 'name', 'text').filter(it => !it.required && isTitled(it))
  const needed = filling.open('topic', 'name', 'code').filter(it => it.required)
  const required = needed.length > 0 ? needed : named
  const names = required.filter(it => it.kind === 'name')
  const [slot, ...others] = names.length === 1 ? names : required
  const left = found.filter(it => !page.rest().slice(it.from, it.to).includes('\uE000') && !digits.test(contentOf(it)))
  const isFitting = (it: Marked) => (slot?.kind === 'code' ? !/\s/.test(contentOf(it)) : !isLabelled(text, it))
  const fitting = slot?.kind === 'name' ? left : left.filter(isFitting)
  const [only] = fitting.toSorted((a, b) => contentOf(b).length - contentOf(a).length)
  if (slot && others.length === 0 && only) give(slot, only)
}
