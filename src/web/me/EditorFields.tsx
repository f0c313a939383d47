import type { PropsWithChildren } from 'hono/jsx'
import { textOf } from '../parts/basics.tsx'
import type { Draft } from './draft.ts'

/** What is wrong, field by field. */
export type Faults = { [name in keyof Draft]?: string | undefined }

type FieldsProps = { draft: Draft; change(changed: Partial<Draft>): void; faults: Faults }

export const EditorFields = ({ draft, change, faults }: FieldsProps) => {
  const bind = (name: Exclude<keyof Draft, 'active'>) => ({
    id: `offer-${name}`,
    value: draft[name],
    onInput: (event: Event) => change({ [name]: textOf(event) }),
    'aria-invalid': faults[name] ? ('true' as const) : ('false' as const),
    'aria-describedby': `fault-${name}`,
  })
  return (
    <>
      <Field name="name" words="Name" fault={faults.name}>
        <input required maxlength={200} {...bind('name')} />
      </Field>
      <Field name="description" words="Description" hint="Buyers search by these words." fault={faults.description}>
        <textarea rows={3} {...bind('description')} />
      </Field>
      <Field
        name="examples"
        words="Examples, one a line"
        hint="Up to ten requests as a buyer would say them: they help buyers find you."
        fault={faults.examples}
      >
        <textarea rows={3} {...bind('examples')} />
      </Field>
      <div class="grid-form">
        <Field name="price" words="Price in USDC" fault={faults.price}>
          <input required inputmode="decimal" pattern="\d+(\.\d+)?" {...bind('price')} />
        </Field>
        <Field name="sla" words="Promise in minutes" fault={faults.sla}>
          <input required type="number" min={1} max={43200} {...bind('sla')} />
        </Field>
      </div>
      <Field name="requirement" words="What you need (JSON schema)" fault={faults.requirement}>
        <textarea class="mono" rows={5} spellcheck={false} {...bind('requirement')} />
      </Field>
      <Field name="deliverable" words="What you deliver (JSON schema; empty: any text)" fault={faults.deliverable}>
        <textarea class="mono" rows={5} spellcheck={false} {...bind('deliverable')} />
      </Field>
      <label class="row">
        <input
          type="checkbox"
          checked={draft.active}
          onChange={({ target }: Event) => change({ active: target instanceof HTMLInputElement && target.checked })}
        />
        Published
      </label>
    </>
  )
}

type FieldProps = PropsWithChildren<{ name: string; words: string; hint?: string; fault: string | undefined }>

const Field = ({ name, words, hint, fault, children }: FieldProps) => (
  <div class="field">
    <label for={`offer-${name}`}>{words}</label>
    {children}
    {hint && <span class="quiet small">{hint}</span>}
    <span id={`fault-${name}`} class="bad small" role="status">
      {fault}
    </span>
  </div>
)
