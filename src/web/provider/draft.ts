import { toSlug } from '../../domain/slug.ts'
import { toTypedUsdc } from '../client/format.ts'
import type { Offering, Schema } from '../client/shapes.ts'
import { t } from '../client/words.ts'
import { readSchema } from './schemaFault.ts'

const blank = {
  name: '',
  description: '',
  price: '0.10',
  sla: '5',
  requirement:
    '{\n  "type": "object",\n  "required": ["text"],\n  "properties": {\n    "text": { "type": "string", "description": ' +
    '"What to work on" }\n  }\n}',
  deliverable: '',
  examples: '',
  tags: '',
  sample: '',
  main: '',
  active: true,
}
export type Draft = typeof blank

const toText = (schema: Schema): string => (Object.keys(schema).length === 0 ? '' : JSON.stringify(schema, undefined, 2))

export const draftOf = (it: Offering | undefined): Draft =>
  it
    ? {
        name: it.name,
        description: it.description,
        price: toTypedUsdc(it.price_v2.amount),
        sla: String(it.sla_minutes),
        requirement: toText(it.requirement),
        deliverable: toText(it.deliverable),
        examples: it.examples.join('\n'),
        tags: it.tags.join(', '),
        sample: it.sample,
        main: it.main,
        active: it.active,
      }
    : blank

/** Most characters of an offering's id that is made from its name. */
const idChars = 60

/** The editor changes the amount alone. Of a usage price that is the most that a hire costs. */
const toPrice = (amount: number, base: Offering | undefined): Offering['price_v2'] =>
  base?.price_v2.type === 'usage' ? { ...base.price_v2, amount, up_to: amount } : { type: 'fixed', currency: 'USDC', amount }

/** Builds an offering from the editor. @param base the offering as it was opened; a new one gets an id from its name */
export const toOffering = (draft: Draft, base: Offering | undefined): Offering => ({
  job_input: '',
  job_output: '',
  restricted: false,
  hide: false,
  validation: false,
  ...base,
  id: base?.id ?? (toSlug(draft.name, idChars) || 'offering'),
  name: draft.name,
  description: draft.description,
  price_v2: toPrice(Number(draft.price), base),
  sla_minutes: Number(draft.sla),
  requirement: readSchema(draft.requirement).schema,
  deliverable: readSchema(draft.deliverable).schema,
  examples: draft.examples.split('\n').flatMap(line => line.trim() || []),
  tags: draft.tags.split(',').flatMap(tag => tag.trim().toLowerCase() || []),
  sample: draft.sample,
  main: draft.main.trim(),
  active: draft.active,
})

/**
 * Returns all offerings of an agent with the edited one replaced. Changes to other offerings since then are kept. A new
 * offering whose id is taken gets another id.
 * @throws Error with a text for users, when the edited offering was changed elsewhere
 */
export const putIn = (standing: Offering[], made: Offering, base: Offering | undefined): Offering[] => {
  const taken = new Set(standing.map(it => it.id))
  if (!base) {
    const names = [made.id, ...Array.from({ length: taken.size }, (_, index) => `${made.id}-${index + 2}`)]
    return [...standing, { ...made, id: names.find(it => !taken.has(it)) ?? made.id }]
  }
  const now = standing.find(it => it.id === base.id)
  if (!now || JSON.stringify(draftOf(now)) !== JSON.stringify(draftOf(base)))
    throw new Error(
      t(
        'This offering was changed or taken away elsewhere while you edited it, so nothing was saved. Copy what you need, cancel, and open it again.',
      ),
    )
  return standing.map(it => (it.id === base.id ? made : it))
}
