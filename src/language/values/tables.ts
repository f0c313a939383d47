import type { Json } from '../../domain/json.ts'
import { type Slot, toSlot } from '../fields/fields.ts'
import { type Filling, toValues } from '../fields/filling.ts'
import { assign } from '../forms/assign.ts'
import { unitOf } from '../words/measures.ts'
import { numeral, toNumber } from '../words/numerals.ts'
import { stem } from '../words/stem.ts'
import { splitWords } from '../words/words.ts'
import { convert } from './labels.ts'

// Reads a list of objects that is written as a table: a line of headings, and a line an item with its cells in this order.

type Line = { from: number; to: number; cells: string[] }
const marks: [mark: string, isTable: RegExp][] = [
  ['|', /\|.*\|/],
  ['\t', /\t/],
  [';', /;.*;/],
  [',', /,.*,/],
]
const mostLines = 200

const toCells = (line: string, mark: string): string[] => {
  const cells = line.split(mark).map(it => it.trim())
  return mark === '|' ? cells.slice(cells[0] === '' ? 1 : 0, cells.at(-1) === '' ? -1 : undefined) : cells
}

const isRule = ({ cells }: Line) => cells.every(it => /^:?-{2,}:?$/.test(it))

/** The lines of the first table of a text. All of them have as many cells as its headings, which have no digits. */
const findTable = (text: string): Line[] => {
  let from = 0
  const lines = text.split('\n', mostLines).map(said => {
    const line = { said, from, to: from + said.length }
    from += said.length + 1
    return line
  })
  for (const [mark, isTable] of marks) {
    const head = lines.findIndex(
      ({ said }, at) => isTable.test(said) && !/\d/.test(said) && isTable.test(lines[at + 1]?.said ?? ''),
    )
    const all = head < 0 ? [] : lines.slice(head).map(({ said, ...of }) => ({ ...of, cells: toCells(said, mark) }))
    const end = all.findIndex(it => it.cells.length !== all[0]?.cells.length)
    const rows = (end < 0 ? all : all.slice(0, end)).filter(it => !isRule(it))
    if (rows.length > 1) return rows
  }
  return []
}

/** How much of a heading names a member: whole words, their beginnings, or their units. */
const likeness = (heading: string, { path, description }: Slot): number | undefined => {
  const name = splitWords(path.at(-1) ?? '')
  const known = [...name, ...splitWords(description)].map(stem)
  const scores = splitWords(heading).map(word =>
    known.includes(stem(word))
      ? unitOf(word) && word.length < 3
        ? 1
        : 3
      : name.some(it => it.startsWith(word) && unitOf(it) === undefined)
        ? 2
        : 0,
  )
  const sum = scores.reduce<number>((a, b) => a + b, 0)
  return sum === 0 ? undefined : sum
}

const amount = new RegExp(`^[^\\p{L}\\p{N}-]*(?<n>${numeral})\\s?[\\p{L}%°²³]*$`, 'iu')
const toValue = (cell: string, slot: Slot): Json | undefined => {
  const said = slot.kind === 'number' ? amount.exec(cell)?.groups?.n : undefined
  return said === undefined ? convert(cell, slot) : toNumber(said)
}

/** Fills the first list of objects whose required members all have a column. */
export const readTables = (filling: Filling): void => {
  const { page } = filling
  const lists = filling.open('list').filter(it => it.members.length > 0)
  const [head, ...rows] = lists.length === 0 ? [] : findTable(page.rest())
  if (!head) return
  for (const list of lists) {
    const slots = list.members.map(toSlot)
    const columns = assign(head.cells, slots, likeness)
    const items = rows.map(({ cells }) => {
      const found = columns.flatMap(([heading, slot]) => {
        const value = toValue(cells[head.cells.indexOf(heading)] ?? '', slot)
        return value !== undefined && slot.fits(value) ? [[slot.name, value] as const] : []
      })
      return toValues(slots, new Map(found))
    })
    if (items.length === 0 || !filling.give(list, items)) continue
    page.take(head.from, rows.at(-1)?.to ?? head.to)
    return
  }
}
