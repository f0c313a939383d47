import { z } from 'zod'
import { describeFault, describeWrapping, fitDeliverable, isEmptyDeliverable, isInputAgain } from './deliverable.ts'
import { canonical, type JsonObject, json, sha256 } from './json.ts'
import { checkDeliverable, fieldsOf, isFitting } from './schema.ts'

/** One thing that a deliverable is judged by. Schema and checks are judged by code, wishes of the user by a model. */
export const criterion = z.object({ id: z.string(), kind: z.enum(['schema', 'check', 'model']), words: z.string() })
export type Criterion = z.infer<typeof criterion>

export const finding = criterion.extend({
  outcome: z.enum(['pass', 'fail', 'unverifiable']),
  evidence: z.string().describe('What decided it, in words for people'),
  details: z.string().optional().describe('What the validator of the schema says'),
})
export type Finding = z.infer<typeof finding>

/** What was found of one delivery. `pass`: nothing that code can tell speaks against it, so that it may be paid. */
export const verdict = z.object({
  attempt: z.number().int(),
  pass: z.boolean(),
  criteria: z.array(finding),
  /** SHA-256 of what was handed in; absent in verdicts of before. */
  digest: z.string().optional(),
  /** The delivery before was the same and did not pass: the agent has nothing better. */
  repeated: z.boolean().optional(),
})
export type Verdict = z.infer<typeof verdict>

/** Why a job comes again: what failed of the deliverable before. */
export const revision = z.object({
  attempt: z.number(),
  failed: z.array(finding.pick({ id: true, words: true, evidence: true, details: true })),
})
export type Revision = z.infer<typeof revision>

/** The user's wishes that are taken up; a list without end would be a second contract. */
export const mostWishes = 3
/** Required fields that are named one by one; the schema holds for all of them. */
const mostFields = 8

/** What a deliverable of an offering will be judged by, with what the user wished in the user's words. */
export const toChecklist = (deliverable: JsonObject, wishes: string[] = []): Criterion[] => [
  ...(Object.keys(deliverable).length === 0 ? [notEmpty, notInput] : structured(deliverable)),
  ...wishes.slice(0, mostWishes).map((words, at): Criterion => ({ id: `wish-${at + 1}`, kind: 'model', words })),
]

const notEmpty: Criterion = { id: 'not-empty', kind: 'check', words: 'a text that is not empty' }
const notInput: Criterion = { id: 'not-input', kind: 'check', words: 'is not the input again, word for word' }

/** A schema that requires nothing lets an empty object pass, and one that describes nothing the input again: checks do not. */
const structured = (schema: JsonObject): Criterion[] => {
  const fields = fieldsOf(schema)
  const required = fields.filter(it => it.required)
  return [
    { id: 'schema', kind: 'schema', words: 'JSON that satisfies the deliverable schema' },
    ...required.slice(0, mostFields).map(({ name }): Criterion => ({ id: `has:${name}`, kind: 'check', words: `has ${name}` })),
    ...(required.length === 0 ? [notEmpty] : []),
    ...(fields.length === 0 ? [notInput] : []),
  ]
}

/** Part of the terms: a yes binds to it. */
export const hashOf = (checklist: Criterion[]): string => sha256(canonical(json.parse(checklist)))

export type Delivery = { deliverable: string; input: string; schema: JsonObject }

const quotedChars = 400
const detailsChars = 1_000

/** Judges by code alone; wishes are left open. The same delivery gets the same findings, always. */
export const judgeByCode = (checklist: Criterion[], { deliverable, ...of }: Delivery): Finding[] => {
  const fitted = fitDeliverable(of.schema, deliverable)
  const delivery = { ...of, deliverable: fitted.text }
  return checklist.map(it => {
    if (it.kind === 'model') return { ...it, outcome: 'unverifiable', evidence: 'no model was asked' }
    if (it.kind === 'schema') return { ...it, ...findBySchema(delivery, describeWrapping(fitted)) }
    const fault = faultOfCheck(it.id, delivery)
    return { ...it, outcome: fault === undefined ? 'pass' : 'fail', evidence: (fault ?? '').slice(0, quotedChars) }
  })
}

const findBySchema = ({ schema, deliverable }: Delivery, wrapping = ''): Pick<Finding, 'outcome' | 'evidence' | 'details'> => {
  const { pass, errors } = checkDeliverable(schema, deliverable)
  if (pass) return { outcome: 'pass', evidence: wrapping }
  return { outcome: 'fail', evidence: describeFault(schema, deliverable), details: errors.join(' ').slice(0, detailsChars) }
}

const faultOfCheck = (id: string, { schema, deliverable, input }: Delivery): string | undefined => {
  if (id === 'not-empty') return isEmptyDeliverable(schema, deliverable) ? 'The deliverable is empty.' : undefined
  if (id === 'not-input') return isInputAgain(input, deliverable) ? 'The deliverable is the input.' : undefined
  const name = id.slice('has:'.length)
  return hasField(schema, { name, deliverable }) ? undefined : `${name} is missing, or not what the schema asks for.`
}

const hasField = (schema: JsonObject, { name, deliverable }: { name: string; deliverable: string }): boolean => {
  try {
    const members = z.record(z.string(), z.json()).parse(JSON.parse(deliverable))
    return Object.hasOwn(members, name) && isFitting(schema, name, members[name] ?? null)
  } catch {
    return false
  }
}

/**
 * What follows from findings. Only what code found can reject; a wish that failed may ask for a revision, and one that nobody can
 * verify changes nothing.
 */
export const ruleOn = (criteria: Finding[]): 'accept' | 'doubt' | 'reject' => {
  const failed = failedOf(criteria)
  if (failed.length === 0) return 'accept'
  return failed.every(it => it.kind === 'model') ? 'doubt' : 'reject'
}

export const failedOf = (criteria: Finding[]): Finding[] => criteria.filter(it => it.outcome === 'fail')

/** Whether a check repeats what the schema asks for. */
export const isNamedBySchema = ({ id }: Pick<Criterion, 'id'>): boolean => id.startsWith('has:')

/** Why it did not pass, for people; a field is not named beside the schema that asks for it. */
export const errorsOf = (criteria: Finding[]): string[] => {
  const failed = failedOf(criteria)
  const bySchema = failed.some(it => it.kind === 'schema')
  return failed
    .filter(it => !bySchema || !isNamedBySchema(it))
    .map(it => (it.kind === 'model' ? `It was wished: ${it.words}.` : it.evidence))
}
