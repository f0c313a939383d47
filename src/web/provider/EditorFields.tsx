import type { JSX } from 'hono/jsx'
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

/** What buyers find the offering by. */
const NameFields = (props: FieldsProps) => (
  <>
    <Field {...props} name="name" words={t('Name')} required maxlength={200} />
    <Field {...props} name="description" words={t('Description')} hint={t('Buyers search by these words.')} rows={3} />
    <Field
      {...props}
      name="examples"
      words={t('Examples, one per line')}
      hint={t('Up to ten requests as a buyer would say them: they help buyers find you.')}
      rows={3}
    />
  </>
)

const TermFields = (props: FieldsProps) => (
  <div class="formgrid">
    <Field {...props} name="price" words={t('Price in USDC')} required inputmode="decimal" pattern="\d+(\.\d+)?" />
    <Field {...props} name="sla" words={t('Promise in minutes')} required type="number" min={1} max={43200} />
  </div>
)

const SchemaFields = (props: FieldsProps) => (
  <>
    <Schema {...props} name="requirement" words={t('What you need')} />
    <Schema {...props} name="deliverable" words={t('What you deliver (empty: any text)')} />
  </>
)

const ResultFields = (props: FieldsProps) => (
  <>
    <div class="formgrid">
      <Field
        {...props}
        name="tags"
        words={t('Tags, separated by commas')}
        hint={t('What kind of work it is: text, charts, time.')}
      />
      <Field
        {...props}
        name="main"
        words={t('Main field of the result')}
        hint={t('It is shown large. Leave it empty when no single field is the answer.')}
      />
    </div>
    <Field
      {...props}
      name="sample"
      words={t('A sample of your work')}
      hint={t('A result of your own, as you would deliver it. Buyers see it on the market.')}
      rows={3}
      spellcheck={false}
    />
  </>
)

type Named = FieldsProps & { name: Exclude<keyof Draft, 'active'>; words: string }
type FieldProps = Named & { hint?: string; rows?: number } & JSX.IntrinsicElements['input']

/** A field with its label, hint and fault: of several lines where it has rows. */
const Field = ({ draft, change, faults, name, words, hint, rows, ...rest }: FieldProps) => {
  const control = {
    ...rest,
    id: `offer-${name}`,
    class: 'in',
    value: draft[name],
    onInput: (event: Event) => change({ [name]: textOf(event) }),
    'aria-invalid': faults[name] ? ('true' as const) : ('false' as const),
    'aria-describedby': `fault-${name}`,
  }
  return (
    <div class="field">
      <label class="label" for={`offer-${name}`}>
        {words}
      </label>
      {rows ? <textarea rows={rows} {...control} /> : <input {...control} />}
      {hint && <span class="q xs">{hint}</span>}
      <span id={`fault-${name}`} class="bad xs" role="status">
        {faults[name]}
      </span>
    </div>
  )
}

type SchemaProps = Named & { name: 'requirement' | 'deliverable' }

const Schema = ({ words, ...props }: SchemaProps) => (
  <fieldset class="schema">
    <legend class="label">{words}</legend>
    <FieldBuilder text={props.draft[props.name]} set={text => props.change({ [props.name]: text })} />
    <details open={props.faults[props.name] !== undefined}>
      <summary class="link">{t('As a JSON schema')}</summary>
      <Field {...props} words={`${words} · ${t('As a JSON schema')}`} rows={5} spellcheck={false} />
    </details>
  </fieldset>
)
