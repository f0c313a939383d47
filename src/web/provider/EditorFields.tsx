import type { PropsWithChildren } from 'hono/jsx'
import { t } from '../client/words.ts'
import { textOf } from '../parts/basics.tsx'
import { Tick } from '../parts/Tick.tsx'
import type { Draft } from './draft.ts'
import { FieldBuilder } from './FieldBuilder.tsx'

export type Faults = { [name in keyof Draft]?: string | undefined }

type FieldsProps = { draft: Draft; change(changed: Partial<Draft>): void; faults: Faults }

export const EditorFields = (props: FieldsProps) => {
  const { draft, change } = props
  return (
    <>
      <NameFields {...props} />
      <TermFields {...props} />
      <SchemaFields {...props} />
      <ResultFields {...props} />
      <Tick isOn={draft.active} set={active => change({ active })}>
        {t('Published')}
      </Tick>
    </>
  )
}

const binder =
  ({ draft, change, faults }: FieldsProps) =>
  (name: Exclude<keyof Draft, 'active'>) => ({
    id: `offer-${name}`,
    class: 'in',
    value: draft[name],
    onInput: (event: Event) => change({ [name]: textOf(event) }),
    'aria-invalid': faults[name] ? ('true' as const) : ('false' as const),
    'aria-describedby': `fault-${name}`,
  })

/** What buyers find the offering by. */
const NameFields = (props: FieldsProps) => {
  const { faults } = props
  const bind = binder(props)
  return (
    <>
      <Field name="name" words={t('Name')} fault={faults.name}>
        <input required maxlength={200} {...bind('name')} />
      </Field>
      <Field name="description" words={t('Description')} hint={t('Buyers search by these words.')} fault={faults.description}>
        <textarea rows={3} {...bind('description')} />
      </Field>
      <Field
        name="examples"
        words={t('Examples, one per line')}
        hint={t('Up to ten requests as a buyer would say them: they help buyers find you.')}
        fault={faults.examples}
      >
        <textarea rows={3} {...bind('examples')} />
      </Field>
    </>
  )
}

const TermFields = (props: FieldsProps) => {
  const { faults } = props
  const bind = binder(props)
  return (
    <div class="formgrid">
      <Field name="price" words={t('Price in USDC')} fault={faults.price}>
        <input required inputmode="decimal" pattern="\d+(\.\d+)?" {...bind('price')} />
      </Field>
      <Field name="sla" words={t('Promise in minutes')} fault={faults.sla}>
        <input required type="number" min={1} max={43200} {...bind('sla')} />
      </Field>
    </div>
  )
}

const SchemaFields = (props: FieldsProps) => {
  const { draft, change, faults } = props
  const bind = binder(props)
  return (
    <>
      <Schema name="requirement" words={t('What you need')} draft={draft} change={change} fault={faults.requirement}>
        <textarea rows={5} spellcheck={false} {...bind('requirement')} />
      </Schema>
      <Schema
        name="deliverable"
        words={t('What you deliver (empty: any text)')}
        draft={draft}
        change={change}
        fault={faults.deliverable}
      >
        <textarea rows={5} spellcheck={false} {...bind('deliverable')} />
      </Schema>
    </>
  )
}

const ResultFields = (props: FieldsProps) => {
  const { faults } = props
  const bind = binder(props)
  return (
    <>
      <div class="formgrid">
        <Field
          name="tags"
          words={t('Tags, separated by commas')}
          hint={t('What kind of work it is: text, charts, time.')}
          fault={faults.tags}
        >
          <input {...bind('tags')} />
        </Field>
        <Field
          name="main"
          words={t('Main field of the result')}
          hint={t('It is shown large. Leave it empty when no single field is the answer.')}
          fault={faults.main}
        >
          <input {...bind('main')} />
        </Field>
      </div>
      <Field
        name="sample"
        words={t('A sample of your work')}
        hint={t('A result of your own, as you would deliver it. Buyers see it on the market.')}
        fault={faults.sample}
      >
        <textarea rows={3} spellcheck={false} {...bind('sample')} />
      </Field>
    </>
  )
}

type FieldProps = PropsWithChildren<{ name: string; words: string; hint?: string; fault: string | undefined }>

const Field = ({ name, words, hint, fault, children }: FieldProps) => (
  <div class="field">
    <label class="label" for={`offer-${name}`}>
      {words}
    </label>
    {children}
    {hint && <span class="q xs">{hint}</span>}
    <span id={`fault-${name}`} class="bad xs" role="status">
      {fault}
    </span>
  </div>
)

type SchemaProps = PropsWithChildren<{
  name: 'requirement' | 'deliverable'
  words: string
  draft: Draft
  change(changed: Partial<Draft>): void
  fault: string | undefined
}>

const Schema = ({ name, words, draft, change, fault, children }: SchemaProps) => (
  <fieldset class="schema">
    <legend class="label">{words}</legend>
    <FieldBuilder text={draft[name]} set={text => change({ [name]: text })} />
    <details open={fault !== undefined}>
      <summary class="link">{t('As a JSON schema')}</summary>
      <Field name={name} words={`${words} · ${t('As a JSON schema')}`} fault={fault}>
        {children}
      </Field>
    </details>
  </fieldset>
)
