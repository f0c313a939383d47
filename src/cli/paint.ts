import { styleText } from 'node:util'
import { isObject, parseJson } from '../domain/json.ts'
import { toPrintable } from '../domain/text/quotableText.ts'

type Screen = { isTTY?: boolean; columns?: number }

/** Maximum columns of a line; longer ones are hard to read. */
const maxColumns = 100

/**
 * Creates functions for bold, coloured and wrapped terminal output. Other outputs get plain text, and NO_COLOR disables styles.
 */
export const createPaint = ({ isTTY = false, columns = 80 }: Screen) => {
  const isPainted = isTTY && !process.env.NO_COLOR
  const width = isTTY ? Math.min(columns, maxColumns) : Number.POSITIVE_INFINITY
  const paint = (style: Parameters<typeof styleText>[0]) => (text: string) =>
    isPainted ? styleText(style, text, { validateStream: false }) : text
  return {
    isTTY,
    /** A stranger's text without what steers a terminal. Other outputs get it unchanged. */
    plain: (text: string): string => (isTTY ? toPrintable(text) : text),
    bold: paint('bold'),
    dim: paint('dim'),
    good: paint('green'),
    warn: paint('yellow'),
    accent: paint('cyan'),
    wrap: (text: string): string =>
      text
        .split('\n')
        .flatMap(line => wrapLine(line, width))
        .join('\n'),
  }
}

/** Wraps one line; continuation lines keep its indentation. */
const wrapLine = (line: string, width: number): string[] => {
  if (line.length <= width) return [line]
  const indent = /^ */.exec(line)?.[0] ?? ''
  const lines: string[] = []
  let at = indent
  for (const word of line.trim().split(' ')) {
    if (at.length + word.length + 1 > width && at.trim() !== '') {
      lines.push(at)
      at = indent
    }
    at += at.trim() === '' ? word : ` ${word}`
  }
  return [...lines, at]
}

export type Paint = ReturnType<typeof createPaint>

/** Shortens addresses, hashes and ids. */
export const shorten = (text: string): string =>
  text
    .replace(/0x[0-9a-f]{40,64}/gi, hex => `${hex.slice(0, 6)}…${hex.slice(-4)}`)
    .replace(/\b(run|job)_[0-9a-f]{16,}/g, id => `${id.slice(0, 10)}…`)

const picture = /<svg[\s>][\s\S]*?<\/svg>|data:[\w+.-]+\/[\w+.-]+;base64,[A-Za-z0-9+/=]+/g

/** Replaces pictures and files, which a terminal cannot show, with their kind and size. */
export const hidePictures = (text: string): string =>
  text.replace(
    picture,
    it =>
      `[${it.startsWith('<svg') ? 'SVG picture' : it.startsWith('data:image') ? 'picture' : 'file'}, ` +
      `${(it.length / 1024).toFixed(1)} KB]`,
  )

const maxColumn = 36
const maxRows = 40
const cut = (text: string) => (text.length > maxColumn ? `${text.slice(0, maxColumn - 1)}…` : text)
const isPlain = (it: unknown) => it === null || ['string', 'number', 'boolean'].includes(typeof it)
// Removes control characters, with which a stranger could move the cursor or hide text.
const toCell = (it: unknown) => cut(String(it ?? '').replace(/[\p{Cc}\p{Cf}]/gu, ' '))

/** Formats a list of objects as a text table; undefined for any other deliverable. */
export const toTable = (deliverable: string): string | undefined => {
  const value: unknown = parseJson(deliverable)
  if (!Array.isArray(value) || value.length === 0) return undefined
  const rows = value.filter(isObject)
  if (rows.length !== value.length || !rows.every(it => Object.values(it).every(isPlain))) return undefined
  const columns = [...new Set(rows.flatMap(it => Object.keys(it)))]
  const cells = [columns.map(toCell), ...rows.slice(0, maxRows).map(row => columns.map(it => toCell(row[it])))]
  const widths = columns.map((_, at) => Math.max(...cells.map(row => row[at]?.length ?? 0)))
  const line = (row: string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  const [head = [], ...body] = cells
  const rest = rows.length > maxRows ? [`… and ${rows.length - maxRows} more rows`] : []
  return [line(head), widths.map(it => '─'.repeat(it)).join('  '), ...body.map(line), ...rest].join('\n')
}
