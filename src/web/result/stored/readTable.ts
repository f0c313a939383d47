import type { Row } from '../kinds.ts'

/** Maximum rows and columns of a table that are shown. */
export const mostRows = 200
const mostColumns = 60

const number = /^-?\d{1,15}(?:\.\d{1,10})?$/
const toCell = (text: string): string | number => (number.test(text) ? Number(text) : text)

/** The cells of a CSV text (RFC 4180), with the mark that its first line has most often. */
export const readCells = (text: string, most: number): string[][] => {
  const [first = ''] = text.split('\n', 1)
  const mark = ['\t', ';', ','].reduce((best, it) => (first.split(it).length > first.split(best).length ? it : best), ',')
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length && rows.length <= most; at += 1) {
    const char = text[at] ?? ''
    const isDoubled = isQuoted && char === '"' && text[at + 1] === '"'
    if (isDoubled) at += 1
    else if (char === '"' && (isQuoted || cell === '')) {
      isQuoted = !isQuoted
      continue
    }
    if (isQuoted || (char !== mark && char !== '\n')) {
      cell += char
      continue
    }
    rows.at(-1)?.push(cell.replace(/\r$/, ''))
    cell = ''
    if (char === '\n') rows.push([])
  }
  if (cell) rows.at(-1)?.push(cell)
  return rows.filter(it => it.length > 0 && it.some(Boolean))
}

export type Tabular = { columns: string[]; rows: Row[]; isCut: boolean }

/** The columns and first rows of a table. @param isBegun the text is only the beginning of the file */
export const readTable = (text: string, isBegun = false): Tabular => {
  const cells = readCells(text.replace(/^\uFEFF/, ''), mostRows + 2)
  const table = toTable(isBegun && cells.length <= mostRows ? cells.slice(0, -1) : cells)
  return { ...table, isCut: isBegun || table.isCut }
}

/** A table whose first row names its columns. */
export const toTable = ([head = [], ...rest]: string[][]): Tabular => {
  const names = head.slice(0, mostColumns).map((it, at) => it.trim() || `column ${at + 1}`)
  const columns = names.map((it, at) => (names.indexOf(it) < at ? `${it} ${at + 1}` : it))
  const rows = rest.slice(0, mostRows).map(row => Object.fromEntries(columns.map((it, at) => [it, toCell(row[at] ?? '')])))
  return { columns, rows, isCut: rest.length > mostRows }
}
