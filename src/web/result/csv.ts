import type { Plain, Row } from './kinds.ts'

// A cell that begins like a formula would be run as one by a spreadsheet.
const toCell = (value: Plain | undefined): string => {
  const text = String(value ?? '')
  const safe = /^[=+\-@\t\r]/.test(text) && typeof value !== 'number' ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A table as comma-separated values (RFC 4180). */
export const toCsv = ({ columns, rows }: { columns: string[]; rows: Row[] }): string =>
  [columns.map(toCell), ...rows.map(row => columns.map(it => toCell(row[it])))].map(cells => `${cells.join(',')}\r\n`).join('')
