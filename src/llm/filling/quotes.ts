import { splitWords } from '../../domain/words.ts'
import type { Filling } from './filling.ts'
import { findQuotes, isLabelled, materialSlot } from './material.ts'

const labelBefore = (text: string, at: number) => splitWords(text.slice(Math.max(0, at - 30), at)).slice(-3)

/**
 * Reads quotations next to a word of their field. The longest other quotation becomes the value of the only required text
 * field.
 */
export const readQuotes = (filling: Filling): void => {
  const { page } = filling
  const text = page.rest()
  const found = findQuotes(text)
  for (const slot of filling.open('topic', 'name', 'string', 'code')) {
    const words = new Set(splitWords(slot.name).filter(it => it.length > 2))
    const quote = found.find(
      it => labelBefore(text, it.from).some(word => words.has(word)) && !page.rest().slice(it.from, it.to).includes('\uE000'),
    )
    if (quote && filling.give(slot, quote.text)) page.take(quote.from, quote.to)
  }
  if (materialSlot(filling.slots)) return
  const open = filling.open('topic', 'name', 'string').filter(it => it.required)
  const [slot] = open
  const left = found.filter(it => !page.rest().slice(it.from, it.to).includes('\uE000'))
  const named = slot?.kind === 'name' ? left : left.filter(it => !isLabelled(text, it))
  const [only] = named.toSorted((a, b) => b.text.length - a.text.length)
  if (slot && open.length === 1 && only && filling.give(slot, only.text)) page.take(only.from, only.to)
}
