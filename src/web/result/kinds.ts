import { isFileId } from '../../domain/files/fileLinks.ts'
import { isObject } from '../../domain/objects.ts'
import { toLabel } from '../client/format.ts'

/** A cell of a table or a value of a row. */
export type Plain = string | number | boolean | null
export type Row = Record<string, Plain>
export type Point = { at: string; value: number }

/** The kind of a deliverable, which decides how it is displayed. Nothing in it is trusted: it is shown as text or as an image. */
export type Drawn =
  | { kind: 'picture'; type: PictureType; source: string }
  | { kind: 'rows'; rows: { name: string; value: Drawn }[] }
  | { kind: 'table'; columns: string[]; rows: Row[] }
  | { kind: 'chart'; points: Point[]; unit: string; table: { columns: string[]; rows: Row[] } }
  | { kind: 'list'; items: Plain[] }
  | { kind: 'plain'; value: Plain }
  | { kind: 'markdown'; text: string }
  | { kind: 'code'; text: string; language: string }
  | { kind: 'link'; url: string }
  | { kind: 'calendar'; entries: { name: string; at: string; place: string }[]; source: string }
  | { kind: 'file'; type: 'html' | 'csv'; source: string }
  | { kind: 'bytes'; type: string; base64: string }
  | { kind: 'stored'; ids: string[] }
  | { kind: 'text'; text: string }

export const pictureTypes = { svg: 'image/svg+xml', png: 'image/png', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' }
export type PictureType = keyof typeof pictureTypes

const isPlain = (it: unknown): it is Plain => it === null || ['string', 'number', 'boolean'].includes(typeof it)

/**
 * Determines the kind of a deliverable. It never throws.
 * @param text the deliverable as submitted
 * @param mediaType the sender's media type; it only decides between kinds of text
 */
export const kindOf = (text: string, mediaType = ''): Drawn => {
  if (/^text\/csv\b/i.test(mediaType)) return { kind: 'file', type: 'csv', source: text }
  if (/^text\/markdown\b/i.test(mediaType)) return { kind: 'markdown', text }
  const start = text.trimStart().slice(0, 1)
  if (start === '{' || start === '[' || start === '"') {
    const value = parse(text)
    if (value !== undefined) return kindOfValue(value)
  }
  return kindOfText(text)
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Maximum nesting of objects shown as rows; deeper ones are shown as code. */
const maxDepth = 3

const kindOfValue = (value: unknown, depth = 0): Drawn => {
  if (typeof value === 'string') return kindOfText(value)
  if (isPlain(value)) return { kind: 'plain', value }
  if (Array.isArray(value)) return kindOfList(value)
  if (!isObject(value) || depth >= maxDepth) return { kind: 'code', text: JSON.stringify(value, undefined, 2), language: 'json' }
  const rows = Object.entries(value).map(([name, it]) => ({ name, value: kindOfValue(it, depth + 1) }))
  const [only, ...others] = rows
  // An object with a single large member is shown as that member.
  return only && others.length === 0 && isBlock(only.value) ? only.value : { kind: 'rows', rows }
}

/** Whether a kind needs more than one line. */
export const isBlock = ({ kind }: Drawn): boolean => !['plain', 'link'].includes(kind)

const isRow = (it: unknown): it is Row => isObject(it) && Object.values(it).every(isPlain)
/** A series needs this many points to be shown as a chart. */
const fewestPoints = 3
const maxPoints = 400

const kindOfList = (list: unknown[]): Drawn => {
  if (list.length > 0 && list.every(isFileId)) return { kind: 'stored', ids: list.map(String) }
  if (list.length > 0 && list.every(isRow)) {
    const columns = [...new Set(list.flatMap(it => Object.keys(it)))]
    return toChart(columns, list) ?? { kind: 'table', columns, rows: list }
  }
  if (list.length >= fewestPoints && list.length <= maxPoints && list.every(it => typeof it === 'number'))
    return (
      toChart(
        ['place', 'value'],
        list.map((value, at) => ({ place: String(at + 1), value })),
      ) ?? { kind: 'list', items: list }
    )
  if (list.every(isPlain)) return { kind: 'list', items: list }
  return { kind: 'code', text: JSON.stringify(list, undefined, 2), language: 'json' }
}

/** Converts a table with a column of names or dates and a column of numbers to a chart. */
const toChart = (columns: string[], rows: Row[]): Drawn | undefined => {
  const [name, value, ...more] = columns
  if (name === undefined || value === undefined || more.length > 0) return undefined
  if (rows.length < fewestPoints || rows.length > maxPoints) return undefined
  const points = rows.flatMap(it => {
    const [at, number] = [it[name], it[value]]
    return typeof at === 'string' && typeof number === 'number' && Number.isFinite(number) && number >= 0
      ? [{ at, value: number }]
      : []
  })
  const isSeries = points.length === rows.length && points.some(it => it.value > 0)
  return isSeries ? { kind: 'chart', points, unit: name === 'place' ? '' : toLabel(value), table: { columns, rows } } : undefined
}

const dataUrl = /^data:image\/(png|jpeg|gif|webp|svg\+xml);base64,([a-z0-9+/=\s]+)$/i
const fileUrl = /^data:([\w.+-]{1,60}\/[\w.+-]{1,60});base64,([a-z0-9+/=]+)$/i
const isLink = (text: string): boolean => /^https?:\/\/[^\s<>"']{3,2000}$/i.test(text) && URL.canParse(text)

const kindOfText = (text: string): Drawn => {
  const trimmed = text.trim()
  if (isFileId(trimmed)) return { kind: 'stored', ids: [trimmed] }
  const [, type = '', bytes] = dataUrl.exec(trimmed) ?? []
  if (bytes) return { kind: 'picture', type: type.startsWith('svg') ? 'svg' : pictureOf(type), source: bytes.replace(/\s/g, '') }
  const [, file = '', base64] = fileUrl.exec(trimmed) ?? []
  if (base64) return { kind: 'bytes', type: file.toLowerCase(), base64 }
  if (/^(?:<\?xml[^>]*>\s*)?(?:<!--[\s\S]*?-->\s*)?<svg[\s>]/i.test(trimmed.slice(0, 2_000)) && /<\/svg>$/i.test(trimmed))
    return { kind: 'picture', type: 'svg', source: trimmed }
  if (trimmed.startsWith('BEGIN:VCALENDAR')) return { kind: 'calendar', entries: entriesOf(trimmed), source: text }
  if (/^<!doctype html|^<html[\s>]/i.test(trimmed)) return { kind: 'file', type: 'html', source: text }
  if (isLink(trimmed)) return { kind: 'link', url: trimmed }
  const [, language = '', code] = /^```([\w+-]*)\n([\s\S]*?)\n?```$/.exec(trimmed) ?? []
  if (code !== undefined && !code.includes('```')) return { kind: 'code', text: code, language }
  if (isDiff(trimmed)) return { kind: 'code', text, language: 'diff' }
  if (isMarkdown(trimmed)) return { kind: 'markdown', text }
  return text.includes('\n') || text.length > 120 ? { kind: 'text', text } : { kind: 'plain', value: text }
}

const pictureOf = (type: string): PictureType => (type === 'jpeg' || type === 'gif' || type === 'webp' ? type : 'png')

const isDiff = (text: string): boolean => /^(?:---|Index:|diff ) [^\n]*\n[\s\S]*^@@ /m.test(text)

/** Whether a text is Markdown. Headings, tables and code fences are clear signs; one other mark can occur in any text. */
const isMarkdown = (text: string): boolean => {
  const head = text.slice(0, 20_000)
  if (/^#{1,6} \S/m.test(head) || /^\|.+\|\s*\n\|[\s:|-]+\|/m.test(head) || /^```/m.test(head)) return true
  const marks = [/\*\*[^\s*][^*\n]*\*\*/, /^[-*] \S.*\n[-*] \S/m, /^\d+\. \S.*\n\d+\. \S/m, /\[[^\]\n]+\]\(https?:/, /^> \S/m]
  return marks.filter(it => it.test(head)).length >= (head.includes('\n') ? 1 : 2)
}

/** Maximum calendar entries shown; the file contains all of them. */
const maxEntries = 100

/** A date, perhaps with a time, as RFC 5545 writes it: 20261127T072500. */
const written = /^\d{8}(?:T\d{4}.*)?$/
const toIso = (words: string): string =>
  written.test(words) ? words.replace(/^(\d{4})(\d\d)(\d\d)/, '$1-$2-$3').replace(/T(\d\d)(\d\d).*/, 'T$1:$2') : words

/** The entries of a calendar, their times as ISO 8601 in the zone in which they were written. */
const entriesOf = (source: string) => {
  const lines = source.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)
  const entries: { name: string; at: string; place: string }[] = []
  for (const line of lines) {
    if (line === 'BEGIN:VEVENT') entries.push({ name: '', at: '', place: '' })
    const entry = entries.at(-1)
    const [, key = '', value = ''] = /^(SUMMARY|DTSTART|LOCATION)[^:]*:(.*)$/.exec(line) ?? []
    if (!entry || !key) continue
    const words = value.replace(/\\n/gi, ' ').replace(/\\([,;\\])/g, '$1')
    if (key === 'SUMMARY') entry.name = words
    else if (key === 'LOCATION') entry.place = words
    else entry.at = toIso(words)
  }
  return entries.slice(0, maxEntries)
}

/** Returns the agent's own reason for not doing the work; undefined if it gave none. */
export const errorOf = (deliverable: string): string | undefined => {
  const value = parse(deliverable)
  return isObject(value) && typeof value.error === 'string' && value.error.trim() ? value.error.trim() : undefined
}
