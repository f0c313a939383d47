import { dayMs } from '../../../domain/durations.ts'
import { readArchive } from './archives.ts'
import { mostRows, toTable } from './readTable.ts'

/** Bytes of one part of a workbook that are read. */
const partBytes = 8 * 1024 * 1024
const mostColumns = 60

/** Characters that XML writes as entities. Workbooks have no others. */
const plain = (xml: string): string =>
  xml.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(lt|gt|quot|apos|amp));/gi, (all, ...[ten, sixteen, name]) => {
    const code = ten ? Number(ten) : Number.parseInt(sixteen, 16)
    if (name) return { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }[String(name).toLowerCase()] ?? all
    return code <= 0x10ffff ? String.fromCodePoint(code) : all
  })

/**
 * Attributes and inside of the elements of a name. Nothing in a workbook is nested in its like. Each character is read once, so a
 * workbook of a million elements without an end takes no longer.
 */
function* elements(xml: string, name: string): Generator<{ of: string; inside: string }> {
  const begin = new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])`, 'g')
  const end = new RegExp(`</(?:\\w+:)?${name}>`, 'g')
  while (begin.test(xml)) {
    const head = xml.indexOf('>', begin.lastIndex)
    if (head < 0) return
    const isEmpty = xml[head - 1] === '/'
    const of = xml.slice(begin.lastIndex, isEmpty ? head - 1 : head)
    end.lastIndex = head + 1
    const ended = isEmpty ? undefined : end.exec(xml)
    if (ended === null) return
    begin.lastIndex = ended ? end.lastIndex : head + 1
    yield { of, inside: ended ? xml.slice(head + 1, ended.index) : '' }
  }
}
const attribute = (of: string, name: string) => plain(new RegExp(`(?:^|[\\s:])${name}="([^"]*)"`).exec(of)?.[1] ?? '')
const textIn = (xml: string) => [...elements(xml, 't')].map(it => plain(it.inside)).join('')

/** The rows of the first sheet of a workbook (XLSX), and its name. @throws RangeError where it is none */
export const readSheet = async (blob: Blob) => {
  const { members } = await readArchive(blob)
  const read = async (name: string) => {
    const bytes = await members.find(it => it.name === name)?.read?.(partBytes)
    return new TextDecoder().decode(bytes)
  }
  const sheets = [...elements(await read('xl/workbook.xml'), 'sheet')]
  const id = attribute(sheets[0]?.of ?? '', 'id')
  const link = [...elements(await read('xl/_rels/workbook.xml.rels'), 'Relationship')].find(it => attribute(it.of, 'Id') === id)
  const target = attribute(link?.of ?? '', 'Target').replace(/^\/?(?:xl\/)?/, 'xl/')
  const [sheet, strings, styles] = [await read(target), await read('xl/sharedStrings.xml'), await read('xl/styles.xml')]
  if (sheet === '') throw new RangeError('no workbook')
  const words = [...elements(strings, 'si')].map(it => textIn(it.inside))
  const toText = createCells(words, dateStyles(styles))
  const cells: string[][] = []
  for (const { inside } of elements(sheet, 'row')) {
    cells.push(toRow(inside, toText))
    if (cells.length > mostRows + 1) break
  }
  const table = toTable(cells.filter(it => it.some(Boolean)))
  return { ...table, sheet: attribute(sheets[0]?.of ?? '', 'name'), sheets: sheets.length }
}

type ToText = (of: string, inside: string) => string

const toRow = (xml: string, toText: ToText): string[] => {
  const row: string[] = []
  for (const { of, inside } of elements(xml, 'c')) {
    const at = columnOf(attribute(of, 'r')) ?? row.length
    if (at < mostColumns) row[at] = toText(of, inside)
  }
  return Array.from(row, it => it ?? '')
}

/** The place of a cell in its row, from 0: `B7` is 1. */
const columnOf = (name: string): number | undefined => {
  const letters = /^[A-Z]{1,3}/.exec(name)?.[0]
  return letters === undefined ? undefined : [...letters].reduce((at, it) => at * 26 + it.charCodeAt(0) - 64, 0) - 1
}

/** Day 0 of a workbook, counted so that days after February 1900 are right. */
const dayZero = Date.UTC(1899, 11, 30)
const mostDays = 2_958_465

const createCells =
  (words: string[], dates: boolean[]): ToText =>
  (of, inside) => {
    const kind = attribute(of, 't')
    const value = plain([...elements(inside, 'v')][0]?.inside ?? '')
    if (kind === 's') return words[Number(value)] ?? ''
    if (kind === 'inlineStr') return textIn(inside)
    if (kind === 'b') return value === '1' ? 'yes' : 'no'
    const days = Number(value)
    if (kind || value === '' || !dates[Number(attribute(of, 's') || 0)] || !(days >= 0 && days <= mostDays)) return value
    const time = new Date(dayZero + Math.round(days * dayMs)).toISOString()
    return Number.isInteger(days) ? time.slice(0, 10) : time.slice(0, 16).replace('T', ' ')
  }

/** For each style of a cell, whether it shows a number as a date. */
const dateStyles = (styles: string): boolean[] => {
  const own = new Map([...elements(styles, 'numFmt')].map(({ of }) => [attribute(of, 'numFmtId'), attribute(of, 'formatCode')]))
  const isDate = (id: string) =>
    (Number(id) >= 14 && Number(id) <= 22) || /[ymdhs]/i.test(own.get(id)?.replace(/"[^"]*"|\[[^\]]*\]/g, '') ?? '')
  const [used] = elements(styles, 'cellXfs')
  return [...elements(used?.inside ?? '', 'xf')].map(({ of }) => isDate(attribute(of, 'numFmtId')))
}
