type Cell = string | number | boolean | null | undefined

const plainNumber = /^-?\d+(?:\.\d+)?$/

/** A text for a cell. One that starts like a formula gets an apostrophe, so that no spreadsheet runs it. */
export const toSafeCell = (text: string): string => (/^[=+\-@\t\r]/.test(text) && !plainNumber.test(text) ? `'${text}` : text)

const toCell = (value: Cell): string => {
  const safe = toSafeCell(String(value ?? ''))
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const toLine = (cells: readonly Cell[]) => `${cells.map(toCell).join(',')}\r\n`

/** Formats rows as comma-separated values with a line of column names (RFC 4180). */
export const toCsv = ({ columns, rows }: { columns: readonly string[]; rows: readonly Record<string, Cell>[] }): string =>
  [columns, ...rows.map(row => columns.map(it => row[it]))].map(toLine).join('')
