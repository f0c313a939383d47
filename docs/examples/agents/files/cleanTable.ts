import { parse } from 'csv-parse/sync'
import { z } from 'zod'
import { toCsv } from '../../../../src/domain/text/csv.ts'
import { decodeText } from './decodeText.ts'

const maxRows = 100_000
const maxColumns = 500
const maxCellChars = 20_000

export type Cleaned = { header: string[]; rows: string[][]; removed: { empty: number; repeated: number }; delimiter: string }

const table = z.array(z.array(z.string()))

/** The mark that separates the columns: the most frequent one of the first line that has any. */
const delimiterOf = (text: string): string => {
  const line = text.split(/\r?\n/).find(it => /[\t;,|]/.test(it)) ?? ''
  const counted = ['\t', ';', '|', ','].map(mark => ({ mark, count: line.split(mark).length }))
  return counted.reduce((a, b) => (b.count > a.count ? b : a)).mark
}

/** Spaces of all kinds become one; marks that show nothing go. */
const tidy = (cell: string): string =>
  cell
    .replace(/[\u200B-\u200D\uFEFF]/g, '')
    .replace(/[\s\u00A0]+/g, ' ')
    .trim()

/** `1,200.50` and `$1,200` are numbers that a program cannot read; `1,2` is left alone, because nobody knows which number it is. */
const grouped = /^[$€£]?(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?)$/
const plain = (cell: string): string => grouped.exec(cell)?.[1]?.replaceAll(',', '') ?? cell

const toNames = (cells: string[]): string[] => {
  const seen = new Map<string, number>()
  return cells.map((cell, at) => {
    const name = cell || `column ${at + 1}`
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} ${count}`
  })
}

/**
 * Cleans a table: one separator, one encoding, no empty rows or columns, no repeated rows, tidy cells, names on all columns, and
 * numbers that programs can read.
 * @throws Error whose message is for the buyer
 */
export const cleanTable = (bytes: Uint8Array): Cleaned => {
  const text = decodeText(bytes)
  if (text.includes('\0')) throw new Error('This is no table as CSV: it has bytes that are no text.')
  const delimiter = delimiterOf(text)
  const all = readRows(text, delimiter)
  const full = all.filter(it => it.some(Boolean))
  const width = Math.max(0, ...full.map(it => it.length))
  if (full.length < 2 || width > maxColumns)
    throw new Error(`I need a header and at least one row, with at most ${maxColumns} columns.`)
  const used = Array.from({ length: width }, (_, at) => at).filter(at => full.some(row => row[at]))
  const [head = [], ...rows] = full.map(row => used.map(at => row[at] ?? ''))
  const unique = [...new Map(rows.map(row => [JSON.stringify(row), row])).values()]
  return {
    header: toNames(head),
    rows: unique.map(row => row.map(plain)),
    removed: { empty: all.length - full.length, repeated: rows.length - unique.length },
    delimiter,
  }
}

const readRows = (text: string, delimiter: string): string[][] => {
  try {
    const read = parse(text, {
      bom: true,
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      to: maxRows + 1,
      max_record_size: maxColumns * maxCellChars,
    })
    return table.parse(read).map(row => row.map(cell => tidy(cell.slice(0, maxCellChars))))
  } catch {
    throw new Error('This is no table as CSV.')
  }
}

/** The table as CSV in UTF-8, with commas (RFC 4180). */
export const toCsvBytes = ({ header, rows }: Pick<Cleaned, 'header' | 'rows'>): Uint8Array => {
  const named = rows.map(row => Object.fromEntries(header.map((name, at) => [name, row[at] ?? ''])))
  return new TextEncoder().encode(toCsv({ columns: header, rows: named }))
}

/** The first column with names and the first with numbers, for a chart; undefined where there is none. */
export const toSeries = ({ header, rows }: Pick<Cleaned, 'header' | 'rows'>) => {
  const isNumeric = (at: number) => rows.every(row => row[at] !== '' && Number.isFinite(Number(row[at])))
  const value = header.findIndex((_, at) => at > 0 && isNumeric(at))
  if (value < 0) return undefined
  return { title: header[value] ?? '', points: rows.map(row => ({ name: row[0] ?? '', value: Number(row[value]) })) }
}
