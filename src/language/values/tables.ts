import type { Json } from '../../domain/json.ts'
import { isWords, type Slot, toSlot } from '../fields/fields.ts'
import { createFilling, type Filling, toValues } from '../fields/filling.ts'
import { createPage } from '../fields/page.ts'
import { assign } from '../forms/assign.ts'
import { unitOf } from '../words/measures.ts'
import { stem } from '../words/stem.ts'
import { splitWords } from '../words/words.ts'

// Reads a list of objects that is written as lines of cells: a table with headings, or lines that have equally many cells.

type Line = { from: number; to: number; said: string }
type Row = Line & { cells: string[] }
type Reader = (filling: Filling) => void

const marks = [/\|/, /\t/, /\s*;\s*/, /\s{2,}/, /\s[-–—]\s/, /\s\/\s/, /,\s*/, /:\s+/]
const most = { lines: 60, cells: 10 }
const fewestCells = 2

const linesOf = (text: string): Line[] => {
  let from = 0
  return text.split('\n', 200).map(said => {
    const line = { said, from, to: from + said.length }
    from += said.length + 1
    return line
  })
}

const bullet = /^(?:[-*•]|\d{1,2}[.)])\s+/
const toRow = (line: Line, mark: RegExp): Row => {
  const cells = line.said
    .trim()
    .replace(bullet, '')
    .split(mark)
    .map(it => it.trim())
  return {
    ...line,
    cells: mark.source === '\\|' ? cells.slice(cells[0] === '' ? 1 : 0, cells.at(-1) === '' ? -1 : undefined) : cells,
  }
}

const isRule = ({ cells }: Row) => cells.every(it => /^:?-{2,}:?$/.test(it))

/** The runs of lines with equally many cells, the longest first. */
const findRuns = (text: string): Row[][] => {
  const lines = linesOf(text)
  const runs = marks.flatMap(mark => {
    const all: Row[][] = [[]]
    for (const line of lines) {
      const row = toRow(line, mark)
      const run = all.at(-1) ?? []
      if (row.cells.length < fewestCells) all.push([])
      else if (run.length === 0 || run[0]?.cells.length === row.cells.length) run.push(row)
      else all.push([row])
    }
    return all.map(it => it.filter(row => !isRule(row)).slice(0, most.lines)).filter(it => it.length > 1)
  })
  return runs.filter(([row]) => row && row.cells.length <= most.cells).toSorted((a, b) => b.length - a.length)
}

/** How much of a heading names a member: whole words, their beginnings, or their units. */
const likeness = (heading: string, { path, description }: Slot): number => {
  const name = splitWords(path.at(-1) ?? '')
  const known = [...name, ...splitWords(description)].map(stem)
  const scores = splitWords(heading).map(word => {
    if (known.includes(stem(word))) return unitOf(word) && word.length < 3 ? 1 : 3
    return name.some(it => it.startsWith(word) && unitOf(it) === undefined) ? 2 : 0
  })
  return scores.reduce<number>((a, b) => a + b, 0)
}

/** Rows by which the member of a column is found. */
const sampleRows = 3
const scores = { heading: 10, form: 3, words: 1 }

/** Fills the lists of objects with rows of cells. @param readMembers reads the value of a cell */
export const readTables = (filling: Filling, readMembers: Reader): void => {
  const lists = filling.open('list').filter(it => it.members.length > 1)
  const runs = lists.length === 0 ? [] : findRuns(filling.page.rest())
  for (const list of lists) {
    const slots = list.members.map(toSlot)
    const read = (cell: string, slot: Slot): Json | undefined => {
      const inner = createFilling({ ...filling, slots: [slot], page: createPage(cell) })
      readMembers(inner)
      return inner.values.get(slot.name)
    }
    const found = runs.find(rows => giveRows(filling, { list, slots, rows, read }))
    const [first, last] = [found?.[0], found?.at(-1)]
    if (first && last) filling.page.take(first.from, last.to)
  }
}

type Table = { list: Slot; slots: readonly Slot[]; rows: readonly Row[]; read(cell: string, slot: Slot): Json | undefined }
const giveRows = (filling: Filling, { list, slots, rows, read }: Table): boolean => {
  const [first] = rows
  // A heading names a member and is no value of it, as "sings" would be.
  const isHeading = (it: string) => slots.some(of => likeness(it, of) > 0 && (isWords(of) || read(it, of) === undefined))
  const head = first && !first.cells.some(it => /\d/.test(it)) && first.cells.some(isHeading)
  const body = head ? rows.slice(1) : rows
  // Lines that name a member each are a form of one item.
  if (rows.every(({ cells }) => slots.some(it => likeness(cells[0] ?? '', it) > 0))) return false
  const scoreOf = (at: number, slot: Slot): number | undefined => {
    const named = head ? likeness(first.cells[at] ?? '', slot) : 0
    const isTaken = body.slice(0, sampleRows).every(({ cells }) => read(cells[at] ?? '', slot) !== undefined)
    return isTaken ? named * scores.heading + (isWords(slot) ? scores.words : scores.form) : undefined
  }
  const all = (first?.cells ?? []).map((_, at) => at)
  const columns = assign(all, slots, scoreOf)
  if (body.length === 0 || columns.length < Math.max(fewestCells, slots.filter(it => it.required).length)) return false
  const items = body.map(({ cells }) => {
    const values = columns.flatMap(([at, slot]) => {
      const value = read(cells[at] ?? '', slot)
      return value === undefined ? [] : [[slot.name, value] as const]
    })
    return toValues(slots, new Map(values))
  })
  return filling.give(list, items)
}
