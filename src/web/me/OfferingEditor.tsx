import { useState } from 'hono/jsx/dom'
import { Refused } from '../api.ts'
import { OfferingCard } from '../market/AgentView.tsx'
import { Notice, textOf } from '../parts/basics.tsx'
import { useReach, useWork } from '../reach.ts'
import type { Agent, Offering, Schema } from '../wire.ts'

type EditorProps = { agent: Agent; offering: Offering | undefined; saved(): void; leave(): void }

const blank = {
  name: '',
  description: '',
  price: '0.10',
  sla: '5',
  requirement:
    '{\n  "type": "object",\n  "required": ["text"],\n  "properties": {\n    "text": { "type": "string", "description": "What to work on" }\n  }\n}',
  deliverable: '',
  active: true,
}
type Draft = typeof blank

const toText = (schema: Schema): string => (Object.keys(schema).length === 0 ? '' : JSON.stringify(schema, undefined, 2))

const draftOf = (it: Offering | undefined): Draft =>
  it
    ? {
        name: it.name,
        description: it.description,
        price: String(it.price_v2.amount),
        sla: String(it.sla_minutes),
        requirement: toText(it.requirement),
        deliverable: toText(it.deliverable),
        active: it.active,
      }
    : blank

type Read = { schema: Schema; fault?: string }

/** The schema in a text, and what is wrong with it as far as can be seen here; the service checks the rest. */
const readSchema = (text: string): Read => {
  if (!text.trim()) return { schema: {} }
  try {
    const schema: unknown = JSON.parse(text)
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
      return { schema: {}, fault: 'A schema is a JSON object.' }
    return { schema }
  } catch (error) {
    return { schema: {}, fault: error instanceof Error ? `This is not JSON: ${error.message}` : 'This is not JSON.' }
  }
}

const slugOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)

const toOffering = (draft: Draft, base: Offering | undefined): Offering => ({
  job_input: '',
  job_output: '',
  restricted: false,
  hide: false,
  ...base,
  id: base?.id ?? (slugOf(draft.name) || 'offering'),
  name: draft.name,
  description: draft.description,
  price_v2: { ...base?.price_v2, amount: Number(draft.price) },
  sla_minutes: Number(draft.sla),
  requirement: readSchema(draft.requirement).schema,
  deliverable: readSchema(draft.deliverable).schema,
  active: draft.active,
})

/** An offering in the making, with the card that buyers will see beside it. */
export const OfferingEditor = ({ agent, offering, saved, leave }: EditorProps) => {
  const { api } = useReach()
  const work = useWork()
  const [draft, setDraft] = useState(draftOf(offering))
  const set = (name: keyof Draft) => (event: Event) => setDraft({ ...draft, [name]: textOf(event) })
  const made = toOffering(draft, offering)
  const faults = { requirement: readSchema(draft.requirement).fault, deliverable: readSchema(draft.deliverable).fault }
  const send = (event: Event) => {
    event.preventDefault()
    if (faults.requirement || faults.deliverable) return
    const others = agent.job_offerings.filter(it => it.id !== made.id)
    work.run(async () => {
      await api.put(`/agents/${encodeURIComponent(agent.agent_id)}`, { job_offerings: [...others, made] }).catch(tellWhere)
      saved()
    })
  }
  return (
    <form class="card editor" onSubmit={send} aria-label={offering ? 'Edit offering' : 'New offering'}>
      <div class="stack">
        <EditorFields draft={draft} set={set} faults={faults} />
        <label class="row">
          <input
            type="checkbox"
            checked={draft.active}
            onChange={({ target }: Event) => setDraft({ ...draft, active: target instanceof HTMLInputElement && target.checked })}
          />
          Published
        </label>
        {work.error && <Notice kind="error">{work.error}</Notice>}
        <div class="row">
          <button type="submit" class="primary" disabled={work.busy || !draft.name.trim()}>
            {offering ? 'Save' : 'Publish'}
          </button>
          <button type="button" onClick={leave}>
            Cancel
          </button>
        </div>
      </div>
      <section class="preview" aria-label="Preview">
        <p class="eyebrow">As buyers see it</p>
        <ul class="plain">
          <OfferingCard offering={made} handle={undefined} />
        </ul>
      </section>
    </form>
  )
}

/** The service says which member it means; a person wants to know in words. */
const tellWhere = (error: unknown): never => {
  if (!(error instanceof Refused) || !error.pointer) throw error
  const place = error.pointer.replace(/^\/job_offerings\/\d+\/?/, '').replaceAll('/', ' › ')
  throw new Error(`${error.message}${place && ` (${place})`}`)
}

type FieldsProps = {
  draft: Draft
  set(name: keyof Draft): (event: Event) => void
  faults: { requirement?: string | undefined; deliverable?: string | undefined }
}

const EditorFields = ({ draft, set, faults }: FieldsProps) => (
  <>
    <div class="field">
      <label for="offer-name">Name</label>
      <input id="offer-name" required maxlength={200} value={draft.name} onInput={set('name')} />
    </div>
    <div class="field">
      <label for="offer-description">Description</label>
      <textarea id="offer-description" rows={3} value={draft.description} onInput={set('description')} />
      <span class="quiet small">Buyers search by these words.</span>
    </div>
    <div class="grid-form">
      <div class="field">
        <label for="offer-price">Price in USDC</label>
        <input id="offer-price" required inputmode="decimal" pattern="\d+(\.\d+)?" value={draft.price} onInput={set('price')} />
      </div>
      <div class="field">
        <label for="offer-sla">Promise in minutes</label>
        <input id="offer-sla" required type="number" min={1} max={43200} value={draft.sla} onInput={set('sla')} />
      </div>
    </div>
    <SchemaField
      name="requirement"
      words="What you need (JSON schema)"
      value={draft.requirement}
      fault={faults.requirement}
      onInput={set('requirement')}
    />
    <SchemaField
      name="deliverable"
      words="What you deliver (JSON schema; empty: any text)"
      value={draft.deliverable}
      fault={faults.deliverable}
      onInput={set('deliverable')}
    />
  </>
)

type SchemaProps = { name: string; words: string; value: string; fault: string | undefined; onInput(event: Event): void }

const SchemaField = ({ name, words, value, fault, onInput }: SchemaProps) => (
  <div class="field">
    <label for={`offer-${name}`}>{words}</label>
    <textarea
      id={`offer-${name}`}
      class="mono"
      rows={5}
      spellcheck={false}
      value={value}
      onInput={onInput}
      aria-invalid={fault === undefined ? 'false' : 'true'}
      aria-describedby={`fault-${name}`}
    />
    <span id={`fault-${name}`} class="bad small">
      {fault}
    </span>
  </div>
)
