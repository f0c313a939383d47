import { isObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'

/** What a tool returns. `rows` names the list that may be truncated, and `more` tells how to read on after `shown` rows. */
export type ToolView = {
  view: Record<string, unknown>
  nextStep?: string | undefined
  rows?: string
  more?(shown: number): string | undefined
}

/** The steps of shortening: maximum length of a text, and minimum number of list rows. Later steps shorten more. */
const attempts = [
  { chars: 2_000, least: 10 },
  { chars: 600, least: 5 },
  { chars: 250, least: 3 },
  { chars: 100, least: 1 },
  { chars: 40, least: 1 },
] as const

/**
 * Shortens a result to at most `limits.toolAnswerChars` characters and returns the first step that fits, or else the last.
 * @param tell creates the view, with texts of at most `chars` characters
 * @param encode converts the view to the response as it is sent
 */
export const fitAnswer = <T>(tell: (chars: number) => ToolView, encode: (told: ToolView) => T): T => {
  const fits = (it: T) => JSON.stringify(it).length <= limits.toolAnswerChars
  let last = encode(tell(attempts[0].chars))
  for (const { chars, least } of attempts) {
    const told = tell(chars)
    const whole = { ...told, view: shorten(told.view, chars) }
    const rows = whole.rows === undefined ? [] : rowsOf(whole.view, whole.rows)
    for (let shown = rows.length; shown >= Math.min(least, rows.length); shown -= 1) {
      last = encode(withRows(whole, rows, shown))
      if (fits(last)) return last
      if (rows.length === 0) break
    }
  }
  return last
}

const rowsOf = (view: Record<string, unknown>, name: string): unknown[] => {
  const rows = view[name]
  return Array.isArray(rows) ? rows : []
}

const withRows = ({ view, nextStep, rows, more }: ToolView, all: unknown[], shown: number): ToolView => {
  const further = more?.(shown)
  const steps = [nextStep, further].filter(it => it !== undefined)
  return {
    view: { ...view, ...(rows !== undefined && { [rows]: all.slice(0, shown) }) },
    nextStep: steps.length > 0 ? steps.join(' ') : undefined,
  }
}

/** Truncates a text to at most `chars` characters. The last character is then an ellipsis. */
export const cutText = (text: string, chars: number): string => {
  if (text.length <= chars) return text
  // Never cut between the two halves of a surrogate pair.
  return `${text.slice(0, chars - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** At most `chars` characters from `from`. Never ends inside a surrogate pair. */
export const partOf = (text: string, from: number, chars: number): string => {
  const part = text.slice(from, from + chars)
  return from + chars < text.length ? part.replace(/[\ud800-\udbff]$/, '') : part
}

/** A copy of the value with each text truncated. Terminates, because views are shallow and contain no arbitrary JSON. */
const shorten = <T>(value: T, chars: number): T => {
  const cut = (it: unknown): unknown => {
    if (typeof it === 'string') return cutText(it, Math.max(chars, idChars))
    if (Array.isArray(it)) return it.map(cut)
    return isObject(it) ? Object.fromEntries(Object.entries(it).map(([name, inner]) => [name, cut(inner)])) : it
  }
  return cut(value) as T
}

/** Texts up to this length are never truncated: ids, hashes and times. */
const idChars = 100
