import type { JsonObject } from '../../domain/json.ts'
import { type Slot, toSlot } from '../fields/fields.ts'
import { createFilling, type Filling, toValues } from '../fields/filling.ts'
import { createPage } from '../fields/page.ts'
import { usedMark } from '../words/used.ts'
import { findAddresses } from './addresses.ts'

// Reads lists of objects: "4 pine boards of 2 m and 10 larch boards of 85 cm". Each part of the sentence is read by the members
// of one item. A part that says a member again begins the next item.

type Reader = (filling: Filling) => void
type Part = { from: number; to: number }
type Row = { parts: Part[]; values: JsonObject; rest: string }

const joints = /\s+(?:and|plus|as well as)\s+|[;\n•]|,(?!\d)|[.!?](?=\s|$)/giu
const maxParts = 40

const partsOf = (text: string): Part[] => {
  let from = 0
  const ends = [...text.matchAll(joints)].slice(0, maxParts - 1)
  return [...ends.map(it => ({ to: it.index, next: it.index + it[0].length })), { to: text.length, next: text.length }].map(
    it => {
      const part = { from, to: it.to }
      from = it.next
      return part
    },
  )
}

/** A text of which only some parts are left, at their places. */
const only = (text: string, parts: readonly Part[]): string => {
  const chars = usedMark.repeat(text.length).split('')
  for (const { from, to } of parts) for (let at = from; at < to; at += 1) chars[at] = text.charAt(at)
  return chars.join('')
}

/** What one item may be said with: no part of an address, unless a member takes addresses. */
const wordsFor = (text: string, members: readonly Slot[]): string => {
  if (members.some(it => it.kind === 'address' || it.kind === 'place')) return text
  return findAddresses(text).reduce(
    (left, it) => left.slice(0, it.from) + usedMark.repeat(it.to - it.from) + left.slice(it.to),
    text,
  )
}

/** Splits a text into items by the members that its parts fill. */
const rowsIn = (text: string, read: (parts: Part[]) => Row): Row[] => {
  const rows: Row[] = []
  for (const part of partsOf(text)) {
    const alone = read([part])
    if (Object.keys(alone.values).length === 0) continue
    const last = rows.at(-1)
    const isMore = last && Object.keys(alone.values).every(it => !Object.hasOwn(last.values, it))
    if (isMore) rows[rows.length - 1] = read([...last.parts, part])
    else rows.push(alone)
  }
  return rows
}

/** Fills the lists of objects. An item without a required member is left to be asked for. @param readMembers reads one item */
export const readRows = (filling: Filling, readMembers: Reader): void => {
  const { page } = filling
  for (const list of filling.open('list').filter(it => it.members.length > 0)) {
    const slots = list.members.map(toSlot)
    const text = wordsFor(page.rest(), slots)
    const read = (parts: Part[]): Row => {
      const inner = createFilling({ ...filling, slots, page: createPage(only(text, parts)) })
      readMembers(inner)
      return { parts, values: toValues(slots, inner.values), rest: inner.page.rest() }
    }
    const item = (row: Row) => slots.every(it => !it.required || Object.hasOwn(row.values, it.path[0] ?? ''))
    const rows = rowsIn(text, read).filter(item)
    if (
      rows.length === 0 ||
      !filling.give(
        list,
        rows.map(it => it.values),
      )
    )
      continue
    for (const { parts, rest } of rows)
      for (const { from, to } of parts)
        for (let at = from; at < to; at += 1) if (rest.charAt(at) === usedMark) page.take(at, at + 1)
  }
}
