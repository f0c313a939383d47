import { isObject, type Json, type JsonObject, parseJson, sha256 } from '../json.ts'
import type { Offering } from '../offerings/offering.ts'
import { toSampleValue } from '../schemas/sampleValue.ts'
import { forcefulKeywords } from '../schemas/schemaKeywords.ts'
import { takesPlainText, toExampleInputs } from '../schemas/testInput.ts'

// The Bazaar extension of x402 (specs/extensions/bazaar.md): how a resource is called, with an example that satisfies its own
// schema. Catalogues leave out a resource whose example does not.

type Described = Pick<Offering, 'name' | 'jobInput' | 'requirement' | 'deliverable' | 'examples' | 'sample'>

/** Descriptions that are kept, because examples are validated while they are made, and every 402 answer has one. */
const keptDescriptions = 200
const kept = new Map<string, JsonObject>()

/** Describes input and output of an offering for x402 directories, with the owner's example requests. */
export const toDiscovery = (offering: Described): JsonObject => {
  const { name, jobInput, requirement, deliverable, examples = [], sample = '' } = offering
  const key = sha256(JSON.stringify([name, jobInput, requirement, deliverable, examples, sample]))
  const known = kept.get(key)
  if (known) return known
  const made = describe(offering)
  const [oldest] = kept.keys()
  if (kept.size >= keptDescriptions && oldest !== undefined) kept.delete(oldest)
  kept.set(key, made)
  return made
}

const describe = (offering: Described): JsonObject => {
  const input = toInput(offering)
  const output = toOutput(offering)
  return {
    info: {
      input: { type: 'http', method: 'POST', bodyType: 'json', body: input.example },
      output: { type: 'json', example: output.example },
      examples: offering.examples ?? [],
    },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        input: {
          type: 'object',
          required: ['type', 'method', 'bodyType', 'body'],
          properties: {
            type: { type: 'string', const: 'http' },
            method: { type: 'string', enum: ['POST'] },
            bodyType: { type: 'string', enum: ['json'] },
            body: input.schema,
          },
        },
        output: { type: 'object', properties: { type: { type: 'string', const: 'json' }, example: output.schema } },
      },
      required: ['input'],
    },
  }
}

type Part = { schema: JsonObject; example: Json }

/** A body of any form is described as a text, because an empty one is refused. */
const toInput = (offering: Described): Part => {
  const { requirement, name, examples = [] } = offering
  if (Object.keys(requirement).length === 0) return { schema: messageSchema, example: { message: examples[0] ?? name } }
  const preferred = takesPlainText(requirement) ? [] : toExampleInputs(offering)
  return toPart(requirement, preferred) ?? { schema: { type: 'object' }, example: {} }
}

const messageSchema: JsonObject = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] }

const toOutput = ({ deliverable, sample }: Described): Part => {
  const shown = sample === undefined ? undefined : parseJson(sample)
  if (Object.keys(deliverable).length === 0)
    return { schema: { type: 'object' }, example: sample === undefined ? {} : { content: sample } }
  const part = toPart(deliverable, shown === undefined ? [] : [shown])
  if (!part) return { schema: { type: 'object' }, example: {} }
  return { schema: { type: 'object', properties: { deliverable: part.schema } }, example: { deliverable: part.example } }
}

/** Undefined where no example satisfies the schema, or a directory would refuse to read it. */
const toPart = (schema: JsonObject, preferred: Json[]): Part | undefined => {
  const published = toPublished(schema)
  const text = JSON.stringify(published)
  if (misread.some(it => text.includes(it))) return undefined
  const example = toSampleValue(schema, preferred)
  return example === undefined ? undefined : { schema: published, example }
}

/**
 * Names of properties that directories misread: they refuse references, also where these are names, and find members of each
 * object's prototype in every value.
 */
const misread = ['$ref', '$id', ...Object.getOwnPropertyNames(Object.prototype)].map(it => `${JSON.stringify(it)}:`)

/**
 * The rules of a schema and its texts. Validators of others also apply what is only a note here: they evaluate patterns and
 * refuse ill-formed notes.
 */
const toPublished = (schema: JsonObject): JsonObject => {
  const members = Object.entries(schema).map(([name, it]) => [name, toMember(name, it)] as const)
  return Object.fromEntries(members.filter((it): it is [string, Json] => it[1] !== undefined))
}

const forceful = new Set<string>(forcefulKeywords)
const texts = new Set(['title', 'description', 'format'])
const lists = new Set(['required', 'type'])

const toMember = (name: string, it: Json): Json | undefined => {
  if (name === 'properties' && isObject(it))
    return Object.fromEntries(Object.entries(it).map(([property, each]) => [property, isObject(each) ? toPublished(each) : {}]))
  if (lists.has(name)) return Array.isArray(it) ? [...new Set(it)] : it
  if (name === 'enum' || name === 'const') return it
  if (texts.has(name)) return typeof it === 'string' ? it : undefined
  if (name === 'default') return isPlain(it) ? it : undefined
  if (name === 'examples') return Array.isArray(it) && it.every(isPlain) ? it : undefined
  if (!forceful.has(name)) return undefined
  if (Array.isArray(it)) return it.map(each => (isObject(each) ? toPublished(each) : {}))
  return isObject(it) ? toPublished(it) : it
}

const isPlain = (it: Json): boolean => typeof it !== 'object' || it === null
