import { toSafeCell } from '../../domain/text/csv.ts'
import { toLabel } from '../client/format.ts'
import type { Drawn, Row } from './kinds.ts'
import { toValue } from './values.ts'

/** A table that spreadsheets accept from the clipboard: cells apart by tabs. */
const toTabbed = (columns: string[], rows: Row[]): string => {
  const line = (cells: string[]) => cells.map(it => toSafeCell(it.replace(/[\t\r\n]+/g, ' '))).join('\t')
  return [columns.map(toLabel), ...rows.map(row => columns.map(it => String(row[it] ?? '')))].map(line).join('\n')
}

/**
 * Returns a deliverable as the text that its reader sees, for the clipboard. Undefined where only the deliverable itself makes
 * sense, such as for a picture or a file.
 */
export const toSeen = (work: Drawn): string | undefined => {
  if (work.kind === 'plain') return toValue(work.value)
  if (work.kind === 'list') return work.items.map(it => toValue(it)).join('\n')
  if (work.kind === 'table') return toTabbed(work.columns, work.rows)
  if (work.kind === 'chart') return toTabbed(work.table.columns, work.table.rows)
  if (work.kind === 'link') return work.url
  if (work.kind === 'markdown' || work.kind === 'text' || work.kind === 'code') return work.text
  if (work.kind !== 'rows') return undefined
  const lines = work.rows.flatMap(({ name, value }) => {
    if (value.kind === 'plain') return `${toLabel(name)}: ${toValue(value.value, name)}`
    const seen = toSeen(value)
    return seen === undefined ? [] : value.kind === 'link' ? `${toLabel(name)}: ${seen}` : `${toLabel(name)}:\n${seen}\n`
  })
  return lines.length > 0 ? lines.join('\n').trimEnd() : undefined
}
