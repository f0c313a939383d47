import type { Plain, Row } from './kinds.ts'

// Escapes a cell. A text that starts like a formula gets an apostrophe, so that no spreadsheet runs it.
const toCell = (value: Plain | undefined): string => {
  const text = String(value ?? '')
  const safe = /^[=+\-@\t\r]/.test(text) && typeof value !== 'number' ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Formats a table as comma-separated values (RFC 4180). */
export const toCsv = ({ columns, rows }: { columns: string[]; rows: Row[] }): string =>
  [columns.map(toCell), ...rows.map(row => columns.map(it => toCell(row[it])))].map(cells => `${cells.join(',')}\r\n`).join('')
