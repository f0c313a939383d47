import { useState } from 'hono/jsx/dom'
import { textOf } from '../parts/basics.tsx'
import { CrossIcon, PlusIcon } from '../parts/icons.tsx'
import { type Built, builtOf, builtTypes, toSchemaText } from './builder.ts'
import { readSchema } from './schemaFault.ts'

type BuilderProps = { name: string; text: string; set(text: string): void }

const blank: Built = { name: '', type: 'string', description: '', isRequired: true, choices: '' }

/** Edits the fields of a schema, one per line, for users who do not write schemas. */
export const FieldBuilder = ({ name, text, set }: BuilderProps) => {
  const { schema, fault } = readSchema(text)
  // The field that is being added. It enters the schema once it has a name.
  const [open, setOpen] = useState<Built | undefined>(undefined)
  const fields = fault ? undefined : builtOf(schema)
  if (!fields) return <p class="q xs">This schema contains more than these fields can show. Edit its text.</p>
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
        <div class="built" key={it.name}>
          <b class="one">{it.name}</b>
          <TypeOf field={it} label={`Kind of ${it.name}`} set={type => change(at, { type })} />
          <input
            class="in small"
            aria-label={`What ${it.name} is`}
            placeholder="What it is, for buyers"
            value={it.description}
            onChange={event => change(at, { description: textOf(event) })}
          />
          <label class="row s">
            <input
              type="checkbox"
              checked={it.isRequired}
              onChange={({ target }: Event) => change(at, { isRequired: target instanceof HTMLInputElement && target.checked })}
            />
            needed
          </label>
          <button
            type="button"
            class="icon-btn"
            aria-label={`Remove ${it.name}`}
            onClick={() => set(toSchemaText(fields.filter((_, place) => place !== at)))}
          >
            <CrossIcon />
          </button>
        </div>
      ))}
      {open ? (
        <div class="built">
          <input
            class="in small"
            aria-label={`Name of the new field of ${name}`}
            placeholder="Name"
            autofocus
            value={open.name}
            onInput={event => setOpen({ ...open, name: textOf(event) })}
          />
          <TypeOf field={open} label="Kind of the new field" set={type => setOpen({ ...open, type })} />
          <button type="button" class="btn small" disabled={!open.name.trim()} onClick={add}>
            Add it
          </button>
          <button type="button" class="link" onClick={() => setOpen(undefined)}>
            Leave it
          </button>
        </div>
      ) : (
        <button type="button" class="link" onClick={() => setOpen(blank)}>
          <PlusIcon /> Add a field
        </button>
      )}
    </div>
  )
}

const TypeOf = ({ field, label, set }: { field: Built; label: string; set(type: string): void }) => (
  <select class="in small" aria-label={label} onChange={event => set(textOf(event))}>
    {builtTypes.map(([type, words]) => (
      <option key={type} value={type} selected={type === field.type}>
        {words}
      </option>
    ))}
  </select>
)
