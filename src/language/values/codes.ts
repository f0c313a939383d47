import type { Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'

// Reads values with a syntax of their own: web, mail and wallet addresses, and codes.

const mail = /[\p{L}\p{N}_.+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,4}/gu
const url = /\bhttps?:\/\/[^\s<>"'`)\]\uE000]*[^\s<>"'`)\].,;:!?\uE000]/gi
const host =
  /(?<![\p{L}\p{N}@./-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,4}[a-z]{2,18}(?![\p{L}\p{N}@])(?:\/[^\s<>"'`)\]\uE000]{0,500}[^\s<>"'`)\].,;:!?\uE000])?/giu
/** Matches file names and abbreviations that look like host names. */
const noHost =
  /\.(?:pdf|docx?|xlsx?|csv|txt|md|png|jpe?g|gif|mp[34]|wav|zip|js|ts|py|java|json|html?|e\.?g|i\.?e|am|pm)$|^(?:e\.g|i\.e|a\.m|p\.m|node\.js|vs)/i
const wallet = /\b0x[0-9a-fA-F]{40}\b|\b[1-9A-HJ-NP-Za-km-z]{32,44}\b/g
const postcode = /\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b|\b\d{5}(?:-\d{4})?\b|\b\d{4} ?[A-Z]{2}\b|\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b/g
const loosePostcode = /\b[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}\b|\b\d{4,6}\b/gi
const ticker = /(?<![\p{L}\p{N}])\$?([A-Z]{2,5}(?:\.[A-Z]{1,2})?)(?![\p{L}\p{N}])/gu
const phone = /(?<![\p{L}\p{N}+])(?:\+|00)?\(?\d[\d ()./-]{4,20}\d(?![\p{L}\p{N}])/gu
const coded = /(?<![\p{L}\p{N}/.-])(?=[\p{L}_-]{0,20}\d)[\p{L}\p{N}][\p{L}\p{N}_/-]{2,40}(?![\p{L}\p{N}])/gu

/** The web addresses of a text, in order. */
export const findUrls = (text: string): { from: number; to: number }[] =>
  [...text.matchAll(url)].map(it => ({ from: it.index, to: it.index + it[0].length }))

/** `forms` are the ways to write the value, the said one first. */
type Found = { text: string; at: number; forms?: readonly string[] }
const findAll = ({ page }: Filling, pattern: RegExp): Found[] =>
  [...page.rest().matchAll(pattern)].map(it => ({ text: it[0], at: it.index }))

/** Whether a word of the field's name stands directly before the value: "replies to a@b.example" for the field `reply_to`. */
const isLed = ({ page }: Filling, { at }: Found, slot: Slot): boolean => {
  const lead = page
    .rest()
    .slice(Math.max(0, at - 30), at)
    .toLowerCase()
  const words = slot.name
    .toLowerCase()
    .split(/[_\W]+/)
    .filter(it => it.length > 3)
  return words.some(it => lead.includes(it))
}

const giveInOrder = (filling: Filling, slots: Slot[], found: Found[]): void => {
  const left = [...found]
  const give = (slot: Slot, it: Found) => {
    if (!(it.forms ?? [it.text]).some(form => filling.give(slot, form))) return
    filling.page.take(it.at, it.at + it.text.length)
    left.splice(left.indexOf(it), 1)
  }
  for (const slot of slots) {
    const led = left.find(it => isLed(filling, it, slot))
    if (led) give(slot, led)
  }
  for (const slot of slots) {
    const [next] = left
    if (next && (slot.required || found.length > slots.indexOf(slot)) && !filling.values.has(slot.name)) give(slot, next)
  }
}

const isListOf = (words: RegExp) => (slot: Slot) =>
  slot.kind === 'list' && words.test(`${slot.itemFormat} ${slot.name} ${slot.description}`)

const giveList = (filling: Filling, isMeant: (slot: Slot) => boolean, pattern: RegExp): void => {
  for (const slot of filling.open('list').filter(isMeant)) {
    const found = findAll(filling, pattern)
    if (found.length === 0 || !filling.give(slot, [...new Set(found.map(it => it.text))])) continue
    for (const it of found) filling.page.take(it.at, it.at + it.text.length)
  }
}

const symbolWords = /\b(?:symbol|ticker)\b/i
const zipWords = /\b(?:post|zip|postal)/i

const patternsOf = ({ name, description }: Slot): RegExp[] => {
  const told = `${name.replaceAll('_', ' ')} ${description}`
  if (zipWords.test(told)) return [postcode, loosePostcode]
  if (symbolWords.test(told)) return [ticker]
  return [coded]
}

const token = /[^\s,;"'“”‘’()<>\uE000]{2,100}/gu
/** Finds the words that fit a field whose format or pattern no ordinary word has. */
const findFitting = (filling: Filling, slot: Slot): Found[] => {
  if (slot.format === 'hostname') return findAll(filling, host)
  return slot.fits('word')
    ? []
    : findAll(filling, token)
        .map(it => ({ ...it, text: it.text.replace(/[.:!?]+$/, '') }))
        .filter(it => slot.fits(it.text))
}

/** A phone number as it was said; without blanks where the field's pattern demands that. */
const findPhones = (filling: Filling): Found[] =>
  findAll(filling, phone).map(it => ({ ...it, forms: [it.text, it.text.replace(/[^\d+]/g, '')] }))

/** Fills fields for web addresses, mail addresses, wallet addresses and codes. */
export const readCodes = (filling: Filling): void => {
  giveList(filling, isListOf(/\be-?mail/i), mail)
  giveInOrder(filling, filling.open('email'), findAll(filling, mail))
  giveList(filling, isListOf(/\b(?:urls?|uri|links?|websites?)\b/i), url)
  giveInOrder(filling, filling.open('url'), findAll(filling, url))
  if (filling.open('url').length > 0) {
    const hosts = findAll(filling, host).filter(it => !noHost.test(it.text))
    giveInOrder(
      filling,
      filling.open('url'),
      hosts.map(it => ({ ...it, forms: [it.text, `https://${it.text}`] })),
    )
  }
  giveInOrder(filling, filling.open('wallet'), findAll(filling, wallet))
  if (filling.open('phone').length > 0) giveInOrder(filling, filling.open('phone'), findPhones(filling))
  for (const slot of filling.open('code')) {
    const fitting = findFitting(filling, slot)
    if (fitting.length > 0) giveInOrder(filling, [slot], fitting)
    if (!slot.required || filling.values.has(slot.name)) continue
    const found = patternsOf(slot)
      .map(it => findAll(filling, it))
      .find(it => it.length > 0)
    if (found) giveInOrder(filling, [slot], found)
  }
}
