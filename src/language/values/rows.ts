import type { JsonObject } from '../../domain/json.ts'
import { isWords, type Slot, toSlot } from '../fields/fields.ts'
import { createFilling, type Filling, toValues } from '../fields/filling.ts'
import { createPage } from '../fields/page.ts'
import { numeral } from '../words/numerals.ts'
import { usedMark } from '../words/used.ts'
import { isDeed, isEmpty } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'
import { findAddresses } from './addresses.ts'

// Reads lists of objects: "4 pine boards of 2 m and 10 larch boards of 85 cm". Each part of the sentence is read by the members
// of one item. A part that says a member again begins the next item.

type Reader = (filling: Filling) => void
/** `group`: the sentence, or what stands on one side of its colon. */
type Part = { from: number; to: number; group: number }
type Row = { parts: Part[]; values: JsonObject; said: string; rest: string }

const joint = String.raw`\s(?:and|plus|as well as)\s|[;\n•]|,(?!\d)|[.!?](?=\s|$)`
/** In a form, a colon joins a label with its value. Elsewhere it introduces the items. */
const joints = { form: new RegExp(joint, 'giu'), text: new RegExp(`${joint}|:(?=\\s)`, 'giu') }
const isForm = (text: string) => (text.match(/^\s{0,5}\p{L}+(?: \p{L}+)?:\s/gmu) ?? []).length > 1
const isEnd = /[.!?:]/
const maxParts = 40

const partsOf = (text: string): Part[] => {
  let [from, group] = [0, 0]
  const ends = [...text.matchAll(isForm(text) ? joints.form : joints.text)].slice(0, maxParts - 1)
  return [...ends, { 0: '', index: text.length }].map(({ 0: mark, index: to }) => {
    const part = { from, to, group }
    from = to + mark.length
    if (isEnd.test(mark)) group += 1
    return part
  })
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

const ofAll = /(?<!\p{L})(?:all|both|each|every|everybody|neither|none)(?!\p{L})/iu
/** The items, each with what a part of the text says of all of them: "neither of us sings", "110 kilos each". */
const shared = (rows: readonly Row[], isItem: (row: Row) => boolean): Row[] => {
  const common = rows.filter(it => !isItem(it) && ofAll.test(it.said))
  const said = common.flatMap(it => Object.entries(it.values))
  return rows
    .filter(it => !common.includes(it))
    .map(it => ({ ...it, values: Object.fromEntries([...said, ...Object.entries(it.values)]) }))
    .filter(isItem)
}

/** Several items stand in one sentence. Beside them, no other sentence has an item by itself. */
const together = (rows: readonly Row[]): readonly Row[] => {
  const sizes = Map.groupBy(rows, it => it.parts[0]?.group)
  const kept = rows.filter(it => (sizes.get(it.parts[0]?.group) ?? []).length > 1)
  return kept.length > 0 ? kept : rows
}

const edge = String.raw`[\s\uE000]*`
const start = new RegExp(
  `^${edge}(?:(?:[x×•*()-]|an?|the|my|our|some|of|at|in|on|as|with|for|to|each|is|are|was|also|please|\\p{N}+[.)])(?![\\p{L}\\p{N}])${edge})*`,
  'iu',
)
const end = new RegExp(`(?:${edge}(?<!\\p{L})(?:at|for|of|in|on|with|each|is|are|was|due|every|please|[x×@:(-]))*${edge}$`, 'iu')
const gap = /\uE000+/
const itemChars = 200

const introducing = /^(?<head>.{1,60}?)\s(?:for|with|showing|from|of)\s+(?<it>\S.*)$/isu
/** The words without the order before them: "draw bars for apples" names apples. */
const withoutOrder = ({ isOwn }: Filling, said: string): string => {
  const { head = '', it = said } = introducing.exec(said)?.groups ?? {}
  const words = splitWords(head)
  const isOrder = words.some(isDeed) && words.every(one => isDeed(one) || isEmpty(one) || isOwn(one))
  return isOrder ? it : said
}

/** Gives the longest words of a part that no other member took to its only open word field, without the words of other members. */
export const readItem = (filling: Filling): void => {
  const { page, slots } = filling
  const [slot, ...others] = filling.open().filter(isWords)
  if (!slot || others.length > 0) return
  const rest = page.rest()
  const own = new RegExp(
    `^(?:(?:${splitWords(slots.flatMap(it => it.path.at(-1) ?? []).join(' '))
      .map(it => it.replace(/s$/, ''))
      .join('|')})(?:e?s)?(?!\\p{L})${edge}(?:of )?)+`,
    'iu',
  )
  const found = rest
    .split(gap)
    .map(it => it.replace(start, '').replace(end, ''))
    .map(it => withoutOrder(filling, it.replace(own, '') || it))
    .filter(it => /\p{L}/u.test(it) && it.length <= itemChars && !splitWords(it).every(isEmpty))
    .toSorted((a, b) => splitWords(b).length - splitWords(a).length)[0]
  const from = found === undefined ? -1 : rest.indexOf(found)
  if (found === undefined || from < 0 || !filling.give(slot, found, false)) return
  page.take(from, from + found.length)
}

const single = /^[\s\uE000]*(?:an?|one)\s+\p{L}/iu
/** "A desk" is one desk, for a count that an item needs. */
export const readOne = (filling: Filling): void => {
  const [slot, ...others] = filling.open('number').filter(it => it.required && it.type === 'integer')
  if (slot && others.length === 0 && single.test(filling.page.rest())) filling.give(slot, 1)
}

const proper = String.raw`\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+){0,2}`
const introduced = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${numeral}|my|our|the|an?)\s+(?<kind>\p{Ll}[\p{L}-]*(?: \p{Ll}[\p{L}-]*)?),?\s+(?:(?:called|named)\s+|\()?(?<names>${proper}(?:, ${proper}){0,8}(?:,? (?:and|&) ${proper})?)`,
  'gu',
)
/** Reads what is introduced with its names: "two cats, Miso and Plum", "our dog Rex". */
const readIntroduced = ({ page, give }: Filling, list: Slot, slots: readonly Slot[]): boolean => {
  const [name, ...names] = slots.filter(it => it.kind === 'name')
  const [kind, ...kinds] = slots.filter(it => it !== name && it.required)
  if (!name || !kind || names.length > 0 || kinds.length > 0 || kind.type !== 'string') return false
  const isThing = (said: string) => said.split(' ').every(it => !isDeed(it) && !isEmpty(it))
  const found = [...page.rest().matchAll(introduced)].filter(it => isThing(it.groups?.kind ?? ''))
  const items = found.flatMap(({ groups = {} }) => {
    const all = (groups.names ?? '').split(/, (?:and |& )?| (?:and|&) /)
    const said = all.length > 1 ? (groups.kind ?? '').replace(/(?<=[^s])s$/, '') : (groups.kind ?? '')
    return all.map(it =>
      toValues(
        slots,
        new Map([
          [kind.name, said],
          [name.name, it],
        ]),
      ),
    )
  })
  if (items.length === 0 || !give(list, items)) return false
  for (const it of found) page.take(it.index, it.index + it[0].length)
  return true
}

/** Fills the lists of objects. An item without a required member is left to be asked for. @param readMembers reads one item */
export const readRows = (filling: Filling, readMembers: Reader): void => {
  const { page } = filling
  for (const list of filling.open('list').filter(it => it.members.length > 0)) {
    const slots = list.members.map(toSlot)
    if (readIntroduced(filling, list, slots)) continue
    const text = wordsFor(page.rest(), slots)
    const read = (parts: Part[]): Row => {
      const inner = createFilling({ ...filling, slots, page: createPage(only(text, parts)) })
      readMembers(inner)
      const said = parts.map(it => text.slice(it.from, it.to)).join(' ')
      return { parts, values: toValues(slots, inner.values), said, rest: inner.page.rest() }
    }
    const item = (row: Row) => slots.every(it => !it.required || Object.hasOwn(row.values, it.path[0] ?? ''))
    const rows = together(shared(rowsIn(text, read), item))
    const values = rows.map(it => it.values)
    if (rows.length > 0 && filling.give(list, values)) for (const it of rows) takeUsed(page, it)
  }
}

/** Takes the characters of a row that its members used. */
const takeUsed = (page: Filling['page'], { parts, rest }: Row): void => {
  for (const { from, to } of parts) for (let at = from; at < to; at += 1) if (rest.charAt(at) === usedMark) page.take(at, at + 1)
}
