import type { Question } from '../../domain/runs/question.ts'
import { toLabel } from '../client/format.ts'
import { t } from '../client/words.ts'
import { FileField } from '../files/FileField.tsx'
import { textOf } from '../parts/basics.tsx'
import { quoted } from '../parts/strangers.tsx'

type FieldProps = { id: string; question: Question; value: string; isFirst: boolean; set(value: string): void }

/** Texts of at most this many characters get a single-line field. */
const lineChars = 120
const inputTypes: Record<string, string> = { date: 'date', 'date-time': 'datetime-local', email: 'email', uri: 'url', url: 'url' }

/** The input field for a question, chosen by its schema: choice, checkbox, number, date, single line or multiple lines. */
export const AnswerField = (props: FieldProps) => {
  const { form } = props.question
  if (form?.format === 'file') {
    const { id, question, value, set } = props
    return (
      <div class="field">
        <Label {...props} />
        <FileField {...{ id, value, set, label: toLabel(question.field), isList: form.type === 'array' }} />
      </div>
    )
  }
  if (form?.enum) return <Choice {...props} options={form.enum.map(String)} />
  if (form?.type === 'boolean') return <Tick {...props} />
  const type = inputTypes[form?.format ?? '']
  const isNumber = form?.type === 'number' || form?.type === 'integer'
  if (isNumber || type || (form?.maxLength ?? lineChars + 1) <= lineChars) return <Line {...props} type={type ?? 'text'} />
  return <Lines {...props} />
}

/** Returns the initial value of a question's field: "false" for a checkbox, otherwise empty. */
export const startOf = ({ form }: Question): string => (form?.type === 'boolean' && !form.enum ? 'false' : '')

const Label = ({ id, question: { field, words, form } }: Pick<FieldProps, 'id' | 'question'>) => (
  <label for={id}>
    {quoted(form?.description || words, 400)}
    {form?.description && <span class="q xs">{quoted(toLabel(field), 60)}</span>}
  </label>
)

const Choice = ({ options, ...props }: FieldProps & { options: string[] }) => (
  <div class="field">
    <Label {...props} />
    <select
      class="in"
      id={props.id}
      value={props.value}
      required
      autofocus={props.isFirst}
      onChange={event => props.set(textOf(event))}
    >
      <option value="">{t('Choose …')}</option>
      {options.map(it => (
        <option key={it} value={it}>
          {it}
        </option>
      ))}
    </select>
  </div>
)

const Tick = (props: FieldProps) => (
  <div class="row">
    <input
      id={props.id}
      type="checkbox"
      checked={props.value === 'true'}
      onChange={({ target }: Event) => props.set(String(target instanceof HTMLInputElement && target.checked))}
    />
    <Label {...props} />
  </div>
)

/** Returns the properties that all text fields share. */
const toTyped = ({ id, question: { form }, value, isFirst, set }: FieldProps) => ({
  id,
  class: 'in',
  minlength: form?.minLength,
  maxlength: form?.maxLength,
  required: true,
  autofocus: isFirst,
  value,
  onInput: (event: Event) => set(textOf(event)),
})

const Line = ({ type, ...props }: FieldProps & { type: string }) => {
  const { form } = props.question
  const isNumber = form?.type === 'number' || form?.type === 'integer'
  return (
    <div class="field">
      <Label {...props} />
      <input
        type={isNumber ? 'number' : type}
        min={form?.minimum}
        max={form?.maximum}
        step={form?.type === 'integer' ? 1 : 'any'}
        {...toTyped(props)}
      />
    </div>
  )
}

/** A field with several lines. Enter submits and Shift+Enter inserts a line break; in a list, Enter also inserts one. */
const Lines = (props: FieldProps) => {
  const { form } = props.question
  const isList = form?.type === 'array'
  const submit = (event: KeyboardEvent & { target: EventTarget | null }) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || isList) return
    event.preventDefault()
    if (event.target instanceof HTMLTextAreaElement) event.target.form?.requestSubmit()
  }
  return (
    <div class="field">
      <Label {...props} />
      <textarea rows={isList ? 3 : 1} {...toTyped(props)} onKeyDown={submit} />
      {isList && <span class="q xs">{t('One per line.')}</span>}
      {form?.type === 'object' && <span class="q xs">{t('As JSON.')}</span>}
    </div>
  )
}
