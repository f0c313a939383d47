import { useState } from 'hono/jsx/dom'
import { toLabel } from '../client/format.ts'
import { t, tn } from '../client/words.ts'
import { Button } from '../parts/basics.tsx'
import { quoted } from '../parts/strangers.tsx'
import type { Plain, Row } from './kinds.ts'
import { toValue } from './values.ts'

/** Maximum rows shown at first. */
const shownRows = 12

const isNumeric = (rows: Row[], column: string): boolean =>
  rows.every(it => it[column] === null || typeof it[column] === 'number')

const compare = (a: Plain | undefined, b: Plain | undefined): number =>
  typeof a === 'number' && typeof b === 'number'
    ? a - b
    : String(a ?? '').localeCompare(String(b ?? ''), 'en', { numeric: true, sensitivity: 'base' })

type TableProps = { columns: string[]; rows: Row[] }

/** A table of objects. A click on a heading sorts by its column; a second click reverses the order. */
export const Table = ({ columns, rows }: TableProps) => {
  const [by, setBy] = useState<{ column: string; isDown: boolean } | undefined>(undefined)
  const [isWhole, setWhole] = useState(false)
  const sorted = by ? rows.toSorted((a, b) => compare(a[by.column], b[by.column]) * (by.isDown ? -1 : 1)) : rows
  const shown = isWhole ? sorted : sorted.slice(0, shownRows)
  const sort = (column: string) => setBy({ column, isDown: by?.column === column && !by.isDown })
  const sides = Object.fromEntries(columns.map(it => [it, isNumeric(rows, it) ? 'r' : undefined]))
  return (
    <>
      <figure class={`scroll ${columns.length > 3 ? 'far' : ''}`} tabindex={0} aria-label={t('Table')}>
        <table>
          <thead>
            <tr>
              {columns.map(it => (
                <th
                  key={it}
                  scope="col"
                  class={sides[it]}
                  aria-sort={by?.column === it ? (by.isDown ? 'descending' : 'ascending') : undefined}
                >
                  <button type="button" onClick={() => sort(it)}>
                    {quoted(toLabel(it), 60)}
                    {by?.column === it ? (by.isDown ? ' ↓' : ' ↑') : ''}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, at) => (
              <tr key={at}>
                {columns.map(it => (
                  <td key={it} class={sides[it]}>
                    {quoted(toValue(row[it] ?? null, it), 300)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </figure>
      {rows.length > shown.length && (
        <Button class="link" onClick={() => setWhole(true)} words={tn(rows.length, 'Show all {n} row|Show all {n} rows')} />
      )}
    </>
  )
}
