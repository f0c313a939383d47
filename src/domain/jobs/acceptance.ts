import { z } from 'zod'
import { fileMembersOf } from '../files/fileMembers.ts'
import { faultOfFile, fileIdsIn, type NamedFile, namedFile, toMemberWords } from '../files/namedFile.ts'
import { canonical, isObject, type Json, type JsonObject, json, sha256 } from '../json.ts'
import { usedUnits } from '../offerings/usagePrice.ts'
import { fieldsOf } from '../schemas/schema.ts'
import { describeFault, describeWrapping, type Examined, examine, isEmptyDeliverable, isInputAgain } from './deliverable.ts'

export const criterion = z.object({ id: z.string(), kind: z.enum(['schema', 'check', 'model']), words: z.string() })
export type Criterion = z.infer<typeof criterion>

export const finding = criterion.extend({
  outcome: z.enum(['pass', 'fail', 'unverifiable']),
  evidence: z.string().describe('Why the check passed or failed, for people'),
  details: z.string().optional().describe('The message of the JSON Schema validator'),
})
export type Finding = z.infer<typeof finding>

/** The findings about one delivery. `pass`: no check of code failed, so it may be paid. */
export const verdict = z.object({
  attempt: z.number().int(),
  pass: z.boolean(),
  criteria: z.array(finding),
  /** SHA-256 of the deliverable; absent in old verdicts. */
  digest: z.string().optional(),
  /** The previous delivery was the same and did not pass, so the agent has no better one. */
  repeated: z.boolean().optional(),
  /** The units of a usage price. */
  used: usedUnits.optional(),
  /** The files of the deliverable with their hashes; absent without files. */
  files: z.array(namedFile).optional(),
})
export type Verdict = z.infer<typeof verdict>

/** Why a job needs another delivery: the errors of the previous deliverable. */
export const revision = z.object({
  attempt: z.number(),
  failed: z.array(finding.pick({ id: true, words: true, evidence: true, details: true })),
})
export type Revision = z.infer<typeof revision>

export const maxWishes = 3
/** Maximum number of required fields listed one by one. The schema is checked for all of them. */
const maxFields = 8

/** The checklist of a hire: the checks of the offering's schema, and the user's wishes in their own words. */
export const toChecklist = (deliverable: JsonObject, wishes: string[] = []): Criterion[] => [
  ...(Object.keys(deliverable).length === 0 ? [notEmpty, notInput] : structured(deliverable)),
  ...wishes.slice(0, maxWishes).map((words, at): Criterion => ({ id: `wish-${at + 1}`, kind: 'model', words })),
]

const notEmpty: Criterion = { id: 'not-empty', kind: 'check', words: 'a text that is not empty' }
const notInput: Criterion = { id: 'not-input', kind: 'check', words: 'is not the input again, word for word' }

/** Checks besides the schema. A schema without requirements would accept an empty object, or the input again. */
const structured = (schema: JsonObject): Criterion[] => {
  const fields = fieldsOf(schema)
  const required = fields.filter(it => it.required)
  return [
    { id: 'schema', kind: 'schema', words: 'JSON that satisfies the deliverable schema' },
    ...required.slice(0, maxFields).map(({ name }): Criterion => ({ id: `has:${name}`, kind: 'check', words: `has ${name}` })),
    ...fileMembersOf(schema).map((it): Criterion => ({ id: `file:${it.name}`, kind: 'check', words: toMemberWords(it) })),
    ...(required.length === 0 ? [notEmpty] : []),
    ...(fields.length === 0 ? [notInput] : []),
  ]
}

/** Hash of a checklist. It is part of the terms, so a consent covers it. */
export const hashOf = (checklist: Criterion[]): string => sha256(canonical(json.parse(checklist)))

/** A deliverable with what it is judged by. `examined` is its check, if it was made before. */
export type Delivery = {
  deliverable: string
  input: string
  schema: JsonObject
  examined?: Examined | undefined
  /** The files that the deliverable names; absent where none can be uploaded, as for a test job. */
  files?: readonly NamedFile[] | undefined
}

const quotedChars = 400
const detailsChars = 1_000

/** Judges a deliverable by code alone, which is deterministic. Wishes stay undecided. */
export const judgeByCode = (checklist: Criterion[], { deliverable, input, schema, examined, files }: Delivery): Finding[] => {
  const found = examined?.sent === deliverable ? examined : examine(schema, deliverable)
  return checklist.map(it => {
    if (it.kind === 'model') return { ...it, outcome: 'unverifiable', evidence: 'no model was asked' }
    if (it.kind === 'schema') return { ...it, ...findBySchema(schema, found) }
    if (it.id.startsWith(fileCheck) && !files) return { ...it, outcome: 'unverifiable', evidence: 'a test job has no files' }
    const fault = faultOfCheck(it.id, found, { input, schema, files })
    return { ...it, outcome: fault === undefined ? 'pass' : 'fail', evidence: (fault ?? '').slice(0, quotedChars) }
  })
}

const findBySchema = (schema: JsonObject, found: Examined): Pick<Finding, 'outcome' | 'evidence' | 'details'> => {
  const { pass, errors } = found.verdict
  if (pass && isEmptyDeliverable(schema, found)) return { outcome: 'fail', evidence: 'The deliverable is empty.' }
  if (pass) return { outcome: 'pass', evidence: describeWrapping(found) ?? '' }
  return { outcome: 'fail', evidence: describeFault(schema, found), details: errors.join(' ').slice(0, detailsChars) }
}

type Against = Pick<Delivery, 'input' | 'schema' | 'files'>
const fileCheck = 'file:'

const faultOfCheck = (id: string, found: Examined, { input, schema, files }: Against): string | undefined => {
  if (id === 'not-empty') return isEmptyDeliverable(schema, found) ? 'The deliverable is empty.' : undefined
  if (id === 'not-input') return isInputAgain(input, found) ? 'The deliverable is the input.' : undefined
  if (id.startsWith(fileCheck)) return faultOfMember(schema, { name: id.slice(fileCheck.length), value: found.value, files })
  const name = id.slice('has:'.length)
  return hasField(found, name) ? undefined : `${name} is missing, or not what the schema asks for.`
}

type FileValue = { name: string; value: Json | undefined; files: Delivery['files'] }

/** The first fault of a file in a member. An absent member has none here, because the schema says whether it may be absent. */
const faultOfMember = (schema: JsonObject, { name, value, files = [] }: FileValue): string | undefined => {
  const member = fileMembersOf(schema).find(it => it.name === name)
  const ids = fileIdsIn(schema, value).filter(it => it.member === name)
  const faults = ids.map(({ id }) => {
    const file = files.find(it => it.file_id === id)
    if (!file || !member) return `${name} names a file that was not uploaded.`
    return faultOfFile(member, file)
  })
  return faults.find(it => it !== undefined)
}

const hasField = ({ value, verdict }: Examined, name: string): boolean =>
  isObject(value) && Object.hasOwn(value, name) && !verdict.wrong.includes(name)

/**
 * Decides by the findings. Only a failed check of code rejects. A failed wish may cause a revision, and an undecided one has no
 * effect.
 */
export const ruleOn = (criteria: Finding[]): 'accept' | 'doubt' | 'reject' => {
  const failed = failedOf(criteria)
  if (failed.length === 0) return 'accept'
  return failed.every(it => it.kind === 'model') ? 'doubt' : 'reject'
}

export const failedOf = (criteria: Finding[]): Finding[] => criteria.filter(it => it.outcome === 'fail')

/** Whether a check repeats a requirement of the schema. */
export const isNamedBySchema = ({ id }: Pick<Criterion, 'id'>): boolean => id.startsWith('has:')

/** Errors for people. Checks of required fields are left out when the schema error names them. */
export const errorsOf = (criteria: Finding[]): string[] => {
  const failed = failedOf(criteria)
  const bySchema = failed.some(it => it.kind === 'schema')
  return failed
    .filter(it => !bySchema || !isNamedBySchema(it))
    .map(it => (it.kind === 'model' ? `The user asked for this: ${it.words}.` : it.evidence))
}
