import { z } from 'zod'
import { isObject, type Json, type JsonObject, jsonObject } from '../../domain/json.ts'
import { withReferences } from './openapiSchemas.ts'

const media = z.record(z.string(), z.object({ schema: jsonObject.optional() }).loose())
const typesIn = (content: unknown) => Object.entries(media.safeParse(content).data ?? {})

/** How a body is sent: as JSON, as a form with files, or as the bytes of one file. */
export type BodyKind = 'json' | 'form' | 'bytes'

export const schemaOf = (content: unknown): JsonObject | undefined =>
  typesIn(content).find(([type]) => /^application\/(?:[\w.+-]+\+)?json\b/.test(type))?.[1].schema

/**
 * The schema of a request's body as members of the input, and how it is sent.
 * @throws Error for a body that is not sold
 */
export const bodyOf = (
  requestBody: JsonObject | undefined,
  root: JsonObject,
): { schema: JsonObject | undefined; type: BodyKind } => {
  if (!requestBody) return { schema: undefined, type: 'json' }
  const { content } = withReferences(requestBody, root)
  const schema = schemaOf(content)
  if (schema) return { schema: withReferences(schema, root), type: 'json' }
  const form = typesIn(content).find(([type]) => /^multipart\/form-data\b/.test(type))?.[1].schema
  if (form) return { schema: withFiles(withReferences(form, root)), type: 'form' }
  const type = binaryIn(content)
  if (type === undefined) throw new Error('Only bodies of JSON, forms and files are sold.')
  return { schema: oneFile(type), type: 'bytes' }
}

/** The deliverable of an answer that is a file; undefined for any other answer. */
export const fileAnswerOf = (content: unknown): JsonObject | undefined => {
  const type = binaryIn(content)
  return type === undefined ? undefined : oneFile(type)
}

/** Media types that are bytes, and no text. */
const binary = /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:pdf|zip|gzip|octet-stream|vnd\.[\w.-]+)\b|\*\/\*)/
const binaryIn = (content: unknown): string | undefined => typesIn(content).find(([type]) => binary.test(type))?.[0]

const anyBytes = /octet-stream|^\*\/\*$/
const toFileSchema = (type: string): JsonObject => ({
  type: 'string',
  format: 'file',
  ...(!anyBytes.test(type) && { contentMediaType: type.split(';')[0] ?? type }),
})
const oneFile = (type: string): JsonObject => ({
  type: 'object',
  required: ['file'],
  properties: { file: toFileSchema(type) },
})

/** A form whose members of bytes are files: `format: binary` in OpenAPI 3.0, a media type without an encoding in 3.1. */
const withFiles = (form: JsonObject): JsonObject => {
  const toMember = (it: Json): Json => {
    if (!isObject(it)) return it
    if (isObject(it.items)) return { ...it, items: toMember(it.items) }
    const type = typeof it.contentMediaType === 'string' ? it.contentMediaType : ''
    const isFile = it.format === 'binary' || (binary.test(type) && it.contentEncoding === undefined)
    if (!isFile) return it
    const { description = '' } = it
    return { ...toFileSchema(type || '*/*'), ...(description && { description }) }
  }
  const properties = isObject(form.properties) ? Object.entries(form.properties) : []
  return { ...form, properties: Object.fromEntries(properties.map(([name, it]) => [name, toMember(it)])) }
}
