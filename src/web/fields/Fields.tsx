import type { JSX } from 'hono/jsx'
import { toLabel } from '../client/format.ts'
import type { Schema } from '../client/shapes.ts'
import { t } from '../client/words.ts'
import { FileField } from '../files/FileField.tsx'
import { textOf } from '../parts/basics.tsx'
import { quoted } from '../parts/strangers.tsx'
import { type Edited, fieldsOf, type InputField } from './fields.ts'
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
    {fieldsOf(schema, values).map(field => (
      <Line
        key={field.name}
        field={field}
        isMade={made.includes(field.name)}
        isDrawn={field.kind === 'lines' && isMaterial(given[field.name] ?? '')}
        id={`${id}-${field.name}`}
        isOff={isOff}
        value={values[field.name] ?? ''}
        set={text => set(field.name, text)}
        done={done}
      />
    ))}
  </>
)

type ControlProps = {
  field: InputField
  id: string
  isOff: boolean
  value: string
  set(text: string): void
  done: (() => void) | undefined
}

const Line = ({ isMade, isDrawn, ...control }: ControlProps & { isMade: boolean; isDrawn: boolean }) => {
  const { id, field, isOff, value, set, done } = control
  const label = toLabel(field.name)
  return (
    <div class={`slip-line ${isDrawn ? 'whole-line' : ''}`}>
      <label for={isDrawn ? undefined : id} title={field.about}>
        {quoted(label, 60)}
      </label>
      {isDrawn ? <EditableMaterial {...{ id, label, text: value, isOff, isMade, done, set }} /> : <Control {...control} />}
      {isMade && !isDrawn && <span class="q xs made">{t('I made this from your words')}</span>}
    </div>
  )
}

const Control = (props: ControlProps) => {
  const { field, id, isOff, value, set, done } = props
  if (field.kind === 'tick') return <Tick {...props} />
  if (field.kind === 'file')
    return <FileField {...{ id, label: toLabel(field.name), isList: field.type === 'array', isOff, value, set, done }} />
  const bound = {
    id,
    class: 'in small',
    disabled: isOff,
    value,
    onInput: (event: Event) => set(textOf(event)),
    onKeyDown: (event: KeyboardEvent) => event.key === 'Enter' && field.kind !== 'lines' && done?.(),
    onBlur: done,
  }
  if (field.kind === 'choice') return <Choice bound={bound} options={field.options} />
  if (field.kind === 'number') return <input {...bound} class="in small num" type="number" step="any" />
  if (field.kind === 'date') return <input {...bound} type="date" />
  if (field.kind === 'moment') {
    const take = (event: Event) => set(fromWall(textOf(event), value))
    return <input {...bound} type="datetime-local" onInput={take} value={toWall(value)} />
  }
  if (field.kind === 'lines') return <textarea {...bound} rows={rowsOf(value)} />
  return <input {...bound} onPaste={paste(set)} />
}

const Tick = ({ id, isOff, value, set, done }: ControlProps) => (
  <input
    id={id}
    type="checkbox"
    disabled={isOff}
    checked={value === 'true'}
    onChange={({ target }: Event) => set(String(target instanceof HTMLInputElement && target.checked))}
    onBlur={done}
  />
)

type ChoiceProps = { bound: { value: string } & JSX.IntrinsicElements['select']; options: string[] }

const Choice = ({ bound, options }: ChoiceProps) => (
  <select {...bound}>
    {options.includes(bound.value) ? null : <option value={bound.value}>{bound.value || t('Choose …')}</option>}
    {options.map(it => (
      <option key={it} value={it} selected={it === bound.value}>
        {it}
      </option>
    ))}
  </select>
)
