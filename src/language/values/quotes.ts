import type { Filling } from '../fields/filling.ts'
import type { Marked } from '../text/fences.ts'
import { findMaterial, isLabelled } from '../text/marked.ts'
import { findQuotations } from '../text/quotations.ts'
import { splitWords } from '../words/words.ts'
import { materialSlot } from './material.ts'

const labelBefore = (text: string, at: number) => splitWords(text.slice(Math.max(0, at - 30), at)).slice(-3)

/**
 * Reads quotations next to a word of their field. Where no field takes material, the longest other quotation becomes the value
 * of the only required name.
 */
export const readQuotes = (filling: Filling): void => {
  const { page } = filling
  const text = page.rest()
  const found = findQuotations(text)
  const contentOf = (it: Marked) => text.slice(it.start, it.end)
  const isUnused = (it: Marked) => !page.rest().slice(it.from, it.to).includes('\uE000')
  const material = materialSlot(filling.slots)
  const mark = findMaterial(text)?.mark
  // A quotation inside the material is part of it.
  const isDecided = mark !== undefined && mark !== 'quotation'
  for (const slot of filling.open('topic', 'name', 'text', 'code').filter(it => !isDecided || it !== material)) {
    const words = new Set(splitWords(slot.name).filter(it => it.length > 2))
    const quote = found.find(it => labelBefore(text, it.from).some(word => words.has(word)) && isUnused(it))
    if (quote && filling.give(slot, contentOf(quote))) page.take(quote.from, quote.to)
  }
  if (material) return
  const open = filling.open('topic', 'name').filter(it => it.required)
  const [slot] = open
  const left = found.filter(isUnused)
  const named = slot?.kind === 'name' ? left : left.filter(it => !isLabelled(text, it))
  const [only] = named.toSorted((a, b) => contentOf(b).length - contentOf(a).length)
  if (slot && open.length === 1 && only && filling.give(slot, contentOf(only))) page.take(only.from, only.to)
}
