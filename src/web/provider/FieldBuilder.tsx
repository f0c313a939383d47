import { useState } from 'hono/jsx/dom'
import { t } from '../client/words.ts'
import { Button, textOf } from '../parts/basics.tsx'
import { CrossIcon, PlusIcon } from '../parts/icons.tsx'
import { Select } from '../parts/LineForm.tsx'
import { Tick } from '../parts/Tick.tsx'
import { type Built, builtOf, builtTypes, toSchemaText } from './builder.ts'
import { readSchema } from './schemaFault.ts'

type BuilderProps = { text: string; set(text: string): void }

const blank: Built = { name: '', type: 'string', description: '', isRequired: true, choices: '' }

type FieldProps = { field: Built; change(changed: Partial<Built>): void; remove(): void }

const BuiltField = ({ field, change, remove }: FieldProps) => (
  <div class="built">
    <b class="one">{field.name}</b>
    <TypeOf field={field} label={t('Kind of {name}', { name: field.name })} set={type => change({ type })} />
    <input
      class="in small"
      aria-label={t('What {name} is', { name: field.name })}
      placeholder={t('What it is, for buyers')}
      value={field.description}
      onChange={event => change({ description: textOf(event) })}
    />
    <Tick isOn={field.isRequired} set={isRequired => change({ isRequired })}>
      {t('needed')}
    </Tick>
    <Button class="icon-btn" aria-label={t('Remove {name}', { name: field.name })} onClick={remove} icon={<CrossIcon />} />
  </div>
)

type NewProps = { field: Built; set(field: Built | undefined): void; add(): void }

/** The field that is being added. It enters the schema once it has a name. */
const NewField = ({ field, set, add }: NewProps) => (
  <div class="built">
    <input
      class="in small"
      aria-label={t('Name of the new field')}
      placeholder={t('Name')}
      autofocus
      value={field.name}
      onInput={event => set({ ...field, name: textOf(event) })}
    />
    <TypeOf field={field} label={t('Kind of the new field')} set={type => set({ ...field, type })} />
    <Button class="btn small" disabled={!field.name.trim()} onClick={add} words={t('Add it')} />
    <Button class="link" onClick={() => set(undefined)} words={t('Leave it')} />
  </div>
)

/** Edits the fields of a schema, one per line, for users who do not write schemas. */
export const FieldBuilder = ({ text, set }: BuilderProps) => {
  const { schema, fault } = readSchema(text)
  const [open, setOpen] = useState<Built | undefined>(undefined)
  const fields = fault ? undefined : builtOf(schema)
  if (!fields) return <p class="q xs">{t('This schema contains more than these fields can show. Edit its text.')}</p>
  const change = (at: number, changed: Partial<Built>) =>
    set(toSchemaText(fields.map((it, place) => (place === at ? { ...it, ...changed } : it))))
  const add = () => {
    if (!open?.name.trim()) return
    set(toSchemaText([...fields, open]))
    setOpen(undefined)
  }
  return (
    <div class="builder">
      {fields.map((it, at) => (
        <BuiltField
          key={it.name}
          field={it}
          change={changed => change(at, changed)}
          remove={() => set(toSchemaText(fields.filter((_, place) => place !== at)))}
        />
      ))}
      {open ? (
        <NewField field={open} set={setOpen} add={add} />
      ) : (
        <Button class="link" onClick={() => setOpen(blank)} icon={<PlusIcon />} words={t('Add a field')} />
      )}
    </div>
  )
}

const TypeOf = ({ field, label, set }: { field: Built; label: string; set(type: string): void }) => (
  <Select
    class="in small"
    aria-label={label}
    options={builtTypes.map(([type, words]) => [type, t(words)])}
    chosen={field.type}
    set={set}
  />
)
