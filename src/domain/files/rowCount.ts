const quote = 0x22
const newline = 0x0a
const blanks = new Set([0x0d, 0x20, 0x09])

/**
 * Counts the rows of a table in CSV (RFC 4180) as its bytes come: those with content, without the header. A line end inside of
 * quotes ends no row.
 */
export const createRowCount = () => {
  let rows = 0
  let isQuoted = false
  let hasContent = false
  return {
    add(chunk: Uint8Array) {
      for (const byte of chunk) {
        if (byte === quote) isQuoted = !isQuoted
        if (byte === newline && !isQuoted) {
          rows += Number(hasContent)
          hasContent = false
        } else if (!blanks.has(byte)) hasContent = true
      }
    },
    /** The rows so far, with an unfinished last one. */
    rows: () => Math.max(0, rows + Number(hasContent) - 1),
  }
}
