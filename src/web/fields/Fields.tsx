import { toLabel } from '../client/format.ts'
import type { Schema } from '../client/shapes.ts'
import { t } from '../client/words.ts'
import { FileField } from '../files/FileField.tsx'
import { textOf } from '../parts/basics.tsx'
import { Quoted } from '../parts/strangers.tsx'
import { type Edited, fieldsOf } from './fields.ts'
import { EditableMaterial, isMaterial } from './Material.tsx'
import { fromWall, toWall } from './wallTime.ts'

type FieldsProps = {
  id: string
  schema: Schema | undefined
  values: Edited
  isOff?: boolean
  /** Names of fields whose value the butler made from the user's words. */
  made?: readonly string[]
  /** Long texts that the user gave are shown as what they are, until they are edited. */
  given?: Edited
  set(name: string, value: string): void
  /** Called when the user leaves a field whose value changed. */
  done?: () => void
}

const maxRows = 8
const rowsOf = (text: string) => Math.min(maxRows, Math.max(2, text.split('\n').length))

/** A field of one line would lose the line breaks of a pasted text, so the text is set with them, and the field grows. */
const paste = (set: (text: string) => void) => (event: ClipboardEvent) => {
  const { target, clipboardData } = event
  const text = clipboardData?.getData('text') ?? ''
  if (!(target instanceof HTMLInputElement) || !text.includes('\n')) return
  event.preventDefault()
  const { value, selectionStart, selectionEnd } = target
  set(value.slice(0, selectionStart ?? 0) + text + value.slice(selectionEnd ?? value.length))
}

/** Editable fields for the members of an input, each with the control for its schema or value. */
export const Fields = ({ id, schema, values, isOff = false, made = [], given = {}, set, done }: FieldsProps) => (
  <>
    {fieldsOf(schema, values).map(field => {
      const at = `${id}-${field.name}`
      const bound = {
        id: at,
        disabled: isOff,
        onInput: (event: Event) => set(field.name, textOf(event)),
        onKeyDown: (event: KeyboardEvent) => event.key === 'Enter' && field.kind !== 'lines' && done?.(),
        onBlur: done,
      }
      const value = values[field.name] ?? ''
      const isDrawn = field.kind === 'lines' && isMaterial(given[field.name] ?? '')
      const isMade = made.includes(field.name)
      return (
        <div class={`slip-line ${isDrawn ? 'whole-line' : ''}`} key={field.name}>
          <label for={isDrawn ? undefined : at} title={field.about}>
            <Quoted text={toLabel(field.name)} chars={60} />
          </label>
          {field.kind === 'choice' && (
            <select class="in small" {...bound} value={value}>
              {field.options.includes(value) ? null : <option value={value}>{value || 'Choose …'}</option>}
              {field.options.map(it => (
                <option key={it} value={it} selected={it === value}>
                  {it}
                </option>
              ))}
            </select>
          )}
          {field.kind === 'tick' && (
            <input
              id={at}
              type="checkbox"
              disabled={isOff}
              checked={value === 'true'}
              onChange={({ target }: Event) => set(field.name, String(target instanceof HTMLInputElement && target.checked))}
              onBlur={done}
            />
          )}
          {field.kind === 'file' && (
            <FileField
              {...{ id: at, label: toLabel(field.name), isList: field.type === 'array', isOff, value, done }}
              set={it => set(field.name, it)}
            />
          )}
          {field.kind === 'number' && <input class="in small num" type="number" step="any" {...bound} value={value} />}
          {field.kind === 'date' && <input class="in small" type="date" {...bound} value={value} />}
          {field.kind === 'moment' && (
            <input
              class="in small"
              type="datetime-local"
              {...bound}
              onInput={(event: Event) => set(field.name, fromWall(textOf(event), value))}
              value={toWall(value)}
            />
          )}
          {field.kind === 'line' && (
            <input class="in small" {...bound} onPaste={paste(it => set(field.name, it))} value={value} />
          )}
          {field.kind === 'lines' && !isDrawn && <textarea class="in small" rows={rowsOf(value)} {...bound} value={value} />}
          {isDrawn && (
            <EditableMaterial
              {...{ id: at, label: toLabel(field.name), text: value, isOff, isMade, done }}
              set={it => set(field.name, it)}
            />
          )}
          {isMade && !isDrawn && <span class="q xs made">{t('I made this from your words')}</span>}
        </div>
      )
    })}
  </>
)
