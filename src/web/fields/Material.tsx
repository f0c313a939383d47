import type { Child } from 'hono/jsx'
import { useRef, useState } from 'hono/jsx/dom'
import { toSpoken } from '../../domain/text/quotableText.ts'
import { useEffect } from '../client/effects.ts'
import { t, tn } from '../client/words.ts'
import { Button } from '../parts/basics.tsx'
import { kindOf } from '../result/kinds.ts'
import { readCells } from '../result/stored/readTable.ts'
import { SetText } from '../result/Work.tsx'

/** What is shown of a table and of a text; the rest is counted, and opens with Edit. */
const shownRows = 6
const firstLines = 6
const lastLines = 2
const mostRows = 2_000
const mostCellChars = 80
const longChars = 600

/** Whether a text is shown as what it is rather than in a field. */
export const isMaterial = (text: string): boolean => text.trim().includes('\n') || text.length > longChars

/** The cells of a text that is a table: each line has as many as the first one, and at least two. */
const cellsOf = (text: string): string[][] | undefined => {
  const cells = readCells(text, mostRows)
  const width = cells[0]?.length ?? 0
  const isTable = cells.length > 1 && width > 1 && cells.every(it => it.length === width)
  return isTable && cells.flat().every(it => it.length <= mostCellChars) ? cells : undefined
}

const Cells = ({ cells: [head = [], ...rows] }: { cells: string[][] }) => (
  <table>
    <thead>
      <tr>
        {head.map((it, at) => (
          <th key={at} scope="col">
            <bdi>{toSpoken(it, it.length)}</bdi>
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.slice(0, shownRows).map((row, at) => (
        <tr key={at}>
          {row.map((it, place) => (
            <td key={place}>
              <bdi>{toSpoken(it, it.length)}</bdi>
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

const Lines = ({ text }: { text: string }) => {
  const lines = text.split('\n')
  const left = lines.length - firstLines - lastLines
  if (left > 1)
    return (
      <>
        <pre>{toSpoken(lines.slice(0, firstLines).join('\n'), text.length)}</pre>
        <p class="q xs">… {tn(left, '{n} more line|{n} more lines')} …</p>
        <pre>{toSpoken(lines.slice(-lastLines).join('\n'), text.length)}</pre>
      </>
    )
  return <pre>{toSpoken(text, text.length)}</pre>
}

/** What a text is, in words and as a picture of it. */
const shapeOf = (text: string): { words: string; view: Child } => {
  const cells = cellsOf(text)
  const chars = tn(text.length, '{n} character|{n} characters')
  if (cells)
    return {
      words: [tn(cells.length - 1, '{n} row|{n} rows'), tn(cells[0]?.length ?? 0, '{n} column|{n} columns'), chars].join(', '),
      view: <Cells cells={cells} />,
    }
  const words = `${tn(text.split('\n').length, '{n} line|{n} lines')}, ${chars}`
  return { words, view: kindOf(text).kind === 'markdown' ? <SetText text={text} /> : <Lines text={text} /> }
}

type MaterialProps = { label: string; text: string; isMade: boolean; isOff: boolean; edit(): void }

/** A long text that an agent gets, shown as what it is: a table as rows, Markdown set, any other text by its lines. */
export const Material = ({ label, text, isMade, isOff, edit }: MaterialProps) => {
  const { words, view } = shapeOf(text)
  return (
    <section class="material" aria-label={label}>
      <p class="material-head xs">
        <span class="grow">
          {isMade ? t('I made this from your words') : t('Exactly as you wrote it')} · {words}
        </span>
        <Button class="link" disabled={isOff} onClick={edit} words={t('Edit')} />
      </p>
      <section class="material-body" tabindex={0} aria-label={t('{name}, what is sent', { name: label })}>
        {view}
      </section>
    </section>
  )
}

type FieldProps = { id: string; label: string; text: string; isOff: boolean; set(text: string): void; leave(): void }

/** The field in which the text is changed. It has the focus when it opens. */
const Source = ({ id, label, text, isOff, set, leave }: FieldProps) => {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const write = ({ target }: Event) => target instanceof HTMLTextAreaElement && set(target.value)
  return (
    <textarea
      class="in small"
      aria-label={label}
      {...{ id, ref: field, rows: 8, disabled: isOff, value: text, onInput: write, onBlur: leave }}
    />
  )
}

type EditableProps = Omit<FieldProps, 'leave'> & { isMade: boolean; done?: (() => void) | undefined }

/** Material with the field in which it is changed. */
export const EditableMaterial = ({ isMade, done, ...field }: EditableProps) => {
  const [isEditing, setEditing] = useState(false)
  const leave = () => {
    setEditing(false)
    done?.()
  }
  if (isEditing) return <Source {...field} leave={leave} />
  return <Material {...{ isMade, label: field.label, text: field.text, isOff: field.isOff }} edit={() => setEditing(true)} />
}
