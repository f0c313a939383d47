import type { Json } from '../../domain/json.ts'
import { matchesPattern } from '../../domain/schemas/patterns.ts'
import type { Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import { assign } from '../forms/assign.ts'
import type { Span } from '../forms/form.ts'
import { findSpans } from '../forms/recognisers.ts'
import { formOfItems, formsOf } from './fieldForms.ts'
import { leadOf, sideOf } from './lead.ts'

// Gives the values that have a form of their own to the fields that take this form: web and mail addresses, hosts, codes.

/** The first way of writing a value that the field's schema allows. A field for E.164 numbers gets no blanks. */
const valueFor = (slot: Slot, { form, values }: Span): Json | undefined => {
  if (slot.kind === 'number') return values.map(Number).find(it => !Number.isNaN(it) && slot.fits(it))
  const isBare = form === 'phone' && /E\.?164|\+\d{7}/i.test(slot.description)
  const isLike = (it: string) => slot.pattern === '' || matchesPattern(slot.pattern, it) !== false
  return (isBare ? values.toReversed() : values).find(it => isLike(it) && slot.fits(it))
}

/** Forms that other words have as well. They fill only a required field. */
const loose = new Set(['code', 'coined', 'loose-postcode', 'ticker', 'host'])

const scoreOf = (text: string, span: Span, { slot, forms }: { slot: Slot; forms: readonly string[] }): number | undefined => {
  const place = forms.indexOf(span.form)
  if (place < 0 || valueFor(slot, span) === undefined) return undefined
  const lead = leadOf(text, span.from, slot)
  if (loose.has(span.form) && !slot.required && lead < 1 && slot.kind !== 'url') return undefined
  const side = slot.role && sideOf(text, span.from)
  const sided = side === undefined ? 0 : side === slot.role ? 1 : -2
  return 4 - Math.min(place, 2) + (slot.required ? 1 : 0) + lead + sided
}

/** Forms that no other words have. */
const sureForms = ['email', 'url', 'ip', 'wallet', 'iban']
/** The form of the values for a required list about which nothing else is known, where no other field takes that form. */
const formFor = (filling: Filling, slot: Slot): string | undefined => {
  if (!slot.required || slot.allowedItems.length > 0 || slot.members.length > 0) return undefined
  const [form, ...others] = new Set(findSpans(filling.page.rest(), new Set(sureForms), filling.now).map(it => it.form))
  const isOther = form !== undefined && filling.open().some(it => it !== slot && formsOf(it).includes(form))
  return isOther || others.length > 0 ? undefined : form
}

/** Fills the lists whose items have a form with all values of that form. */
const readTypedLists = (filling: Filling): void => {
  const { page } = filling
  for (const slot of filling.open('list')) {
    const form = formOfItems(slot) ?? formFor(filling, slot)
    const found = form === undefined ? [] : findSpans(page.rest(), new Set([form]), filling.now)
    if (found.length === 0 || !filling.give(slot, [...new Set(found.map(it => it.values[0] ?? ''))])) continue
    for (const it of found) page.take(it.from, it.to)
  }
}

/** Fills the fields whose values have a form of their own. */
export const readForms = (filling: Filling): void => {
  const { page } = filling
  readTypedLists(filling)
  const fields = filling.open().flatMap(slot => {
    const forms = formsOf(slot)
    return forms.length > 0 ? [{ slot, forms }] : []
  })
  if (fields.length === 0) return
  const text = page.rest()
  const all = findSpans(text, new Set(fields.flatMap(it => it.forms)), filling.now)
  const spans = all.filter(it => fields.some(field => scoreOf(text, it, field) !== undefined))
  for (const [span, { slot }] of assign(spans, fields, (it, field) => scoreOf(text, it, field))) {
    const isFree = page.rest().slice(span.from, span.to) === text.slice(span.from, span.to)
    if (isFree && filling.give(slot, valueFor(slot, span))) page.take(span.from, span.to)
  }
}
