import { openAsBlob } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { fileMembersOf } from '../../domain/files/fileMembers.ts'
import { nameIn } from '../../domain/files/fileName.ts'
import { isObject, type Json, type JsonObject, json, jsonObject, parseJson } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { type BodyKind, bodyOf, fileAnswerOf, schemaOf } from './openapiBodies.ts'
import { withReferences } from './openapiSchemas.ts'
import { applyCredentials, type Credentials, isCredential, missingCredentials } from './openapiSecurity.ts'
import type { Asked, Capability, LeftOut, Source } from './source.ts'

const parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header', 'cookie']),
  required: z.boolean().default(false),
  description: z.string().optional(),
  schema: jsonObject.default({ type: 'string' }),
})
const operation = z.object({
  operationId: z.string().optional(),
  summary: z.string().default(''),
  description: z.string().default(''),
  tags: z.array(z.string()).default([]),
  parameters: z.array(jsonObject).default([]),
  requestBody: jsonObject.optional(),
  responses: z.record(z.string(), jsonObject).default({}),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
})
const document = z
  .object({
    openapi: z.string().startsWith('3.'),
    info: z.object({ title: z.string(), description: z.string().default('') }),
    servers: z.array(z.object({ url: z.string() })).default([]),
    paths: z.record(z.string(), jsonObject),
    security: z.array(z.record(z.string(), z.array(z.string()))).default([]),
  })
  .loose()

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
type Parameter = z.infer<typeof parameter>
type Operation = {
  id: string
  method: string
  path: string
  parameters: Parameter[]
  /** Members of the input that form the body; `whole` if the body is not an object. */
  body: { members: string[]; whole: boolean; type: BodyKind } | undefined
  security: Record<string, string[]>[]
  capability: Capability
}

const maxBytes = 1024 * 1024

/**
 * Opens an HTTP API that an OpenAPI 3 document describes, and lists its operations. Credentials come from environment variables
 * that start with `API_`, and are sent only to the API.
 * @param place URL or file of the document
 */
export const openOpenApi = async (
  place: string,
  { only, env }: { only: string[]; env: Record<string, string> },
): Promise<Source> => {
  const found = document.parse(await load(place))
  const root = jsonObject.parse(found)
  const base = baseOf(found.servers[0]?.url, place)
  const credentials: Credentials = { root, env }
  const listed = Object.entries(found.paths).flatMap(([path, item]) =>
    methods.flatMap(method => (isObject(item[method]) ? [{ path, method, item, root, security: found.security }] : [])),
  )
  const unknown = only.filter(id => !listed.some(it => idOf(it) === id))
  if (unknown.length > 0) throw new Error(`The document has no operation ${unknown.join(', ')}.`)
  const leftOut: LeftOut[] = []
  const chosen = listed
    .filter(it => only.length === 0 || only.includes(idOf(it)))
    .flatMap(it => {
      try {
        return [toSellable(it, credentials)]
      } catch (error) {
        leftOut.push({ id: idOf(it), reason: error instanceof Error ? error.message : String(error) })
        return []
      }
    })
  const byId = new Map(chosen.map(it => [it.id, it]))
  return {
    name: found.info.title,
    description: found.info.description.split('\n')[0] || found.info.title,
    capabilities: chosen.map(it => it.capability),
    leftOut,
    call: async asked => {
      const it = byId.get(asked.id)
      if (!it) throw new Error(`There is no operation ${asked.id}.`)
      return send(it, asked, { base, credentials })
    },
    close: async () => undefined,
  }
}

const load = async (place: string): Promise<JsonObject> => {
  const isAddress = /^https?:\/\//.test(place)
  const text = isAddress ? await fetch(place).then(answer => answer.text()) : await readFile(place, 'utf8')
  return jsonObject.parse(parseJson(text) ?? parse(text))
}

const baseOf = (server: string | undefined, place: string): string => {
  const isAddress = /^https?:\/\//.test(place)
  if (!isAddress && !/^https?:\/\//.test(server ?? '')) throw new Error('The document names no server with an address.')
  return new URL(server ?? '/', isAddress ? place : undefined).href.replace(/\/+$/, '')
}

type Found = { path: string; method: string; item: JsonObject; root: JsonObject; security: Record<string, string[]>[] }

const idOf = ({ path, method, item }: Found): string =>
  operation.safeParse(item[method]).data?.operationId ?? `${method}${path.replace(/\W+/g, '_')}`

/** @throws Error when the operation cannot be sold */
const toSellable = (found: Found, credentials: Credentials): Operation => {
  const it = toOperation(found)
  const missing = missingCredentials(it.security, credentials)
  if (missing) throw new Error(`it needs a credential in ${missing}`)
  return it
}

const toOperation = (found: Found): Operation => {
  const { path, method, item, root, security } = found
  const it = operation.parse(item[method])
  const id = idOf(found)
  const given = [...(Array.isArray(item.parameters) ? item.parameters : []), ...it.parameters]
  const declared = given.map(raw => parameter.parse(withReferences(jsonObject.parse(raw), root)))
  const parameters = declared.filter(one => !isOwners(one, root))
  const isMissing = (one: Parameter) =>
    one.required && !parameters.includes(one) && !isCredential(one, root) && !ignored.test(one.name)
  const withheld = declared.find(isMissing)
  if (withheld) throw new Error(`it needs ${withheld.name}, which is the owner's to send: declare it as a security scheme`)
  const { schema, type } = bodyOf(it.requestBody, root)
  const members = isObject(schema?.properties) ? Object.keys(schema.properties) : []
  const body = schema && { members, whole: members.length === 0, type }
  const described = it.description || it.summary || id
  return {
    id,
    method,
    path,
    parameters,
    body,
    security: it.security ?? security,
    capability: {
      id,
      name: it.summary || id,
      description: described,
      requirement: toRequirement(parameters, schema),
      deliverable: answerOf(it.responses, root),
      tags: it.tags,
    },
  }
}

/** Headers that OpenAPI 3.1.1, section 4.8.12.1, ignores as parameters, except Authorization. */
const ignored = /^(accept|content-type)$/i
/** Headers that carry credentials or change how a request is read. A buyer must not set them in the owner's name. */
const ownersHeaders = new RegExp(
  `^(${[
    'accept|content-type|authorization|proxy-.*|cookie2?|host|origin|referer',
    'forwarded|x-forwarded-.*|x-real-ip|x-original-.*|x-rewrite-url|x-http-method.*',
    'connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|via',
  ].join('|')})$`,
  'i',
)

/** Whether a parameter is not a buyer's to fill: a cookie, such a header, or what a security scheme of the document sends. */
const isOwners = (one: Parameter, root: JsonObject): boolean =>
  one.in === 'cookie' || (one.in === 'header' && ownersHeaders.test(one.name)) || isCredential(one, root)

/** Returns the schema of the first success response; an empty one if there is none, or if the market cannot check it. */
const answerOf = (responses: Record<string, JsonObject>, root: JsonObject): JsonObject => {
  const [, response] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  try {
    const content = response && withReferences(response, root).content
    const schema = schemaOf(content)
    return schema ? withReferences(schema, root) : (fileAnswerOf(content) ?? {})
  } catch {
    return {}
  }
}

const toRequirement = (parameters: Parameter[], body: JsonObject | undefined): JsonObject => {
  const inBody = isObject(body?.properties) ? body.properties : body ? { body } : {}
  const bodyRequired = isObject(body?.properties) ? (Array.isArray(body.required) ? body.required : []) : body ? ['body'] : []
  const properties = {
    ...Object.fromEntries(
      parameters.map(it => [it.name, { ...it.schema, ...(it.description && { description: it.description }) }]),
    ),
    ...inBody,
  }
  if (Object.keys(properties).length === 0) return {}
  const required = [...new Set([...parameters.filter(it => it.required).map(it => it.name), ...bodyRequired])]
  return jsonObject.parse({ type: 'object', properties, ...(required.length > 0 && { required }) })
}

type At = { base: string; credentials: Credentials }

const send = async (it: Operation, { input, signal, files }: Asked, { base, credentials }: At): Promise<Json> => {
  const path = it.path.replace(/\{([^}]+)\}/g, (_all, name: string) => toSegment(toText(input[name])))
  const url = new URL(base + path)
  const [made] = files ? fileMembersOf(it.capability.deliverable) : []
  const headers = new Headers({ accept: made ? made.mediaType || '*/*' : 'application/json' })
  for (const one of it.parameters) {
    const value = input[one.name]
    if (value === undefined) continue
    for (const text of Array.isArray(value) ? value.map(toText) : [toText(value)]) {
      if (one.in === 'query') url.searchParams.append(one.name, text)
      if (one.in === 'header') headers.append(one.name, text)
    }
  }
  applyCredentials(it.security, credentials, { url, headers })
  const body = await toBody(it, input)
  if (typeof body === 'string') headers.set('content-type', 'application/json')
  const answer = await fetch(url, {
    method: it.method.toUpperCase(),
    headers,
    signal,
    redirect: 'error',
    ...(body !== undefined && { body }),
  })
  if (!made || !files || !answer.ok) return read(answer)
  const bytes = await readAtMost(answer, limits.fileBytes)
  return { [made.name]: await files.upload(bytes, nameIn(answer.headers.get('content-disposition') ?? '') ?? it.id) }
}

/** Encodes a value as one segment of a path. A stranger's value must not lead to another path. */
const toSegment = (text: string): string => {
  if (text === '' || text === '.' || text === '..') throw new Error('A value in the path may not be empty or dots.')
  return encodeURIComponent(text)
}

const toText = (value: Json | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''))

/** The body of a request. A file is read from its path as it is sent. */
const toBody = async ({ body, capability }: Operation, input: JsonObject): Promise<string | Blob | FormData | undefined> => {
  if (!body) return undefined
  if (body.type === 'bytes') return openAsBlob(toText(input.file), { type: typeOfBytes(capability.requirement) })
  if (body.type === 'form') return toForm(body.members, capability.requirement, input)
  if (body.whole) return JSON.stringify(input.body)
  return JSON.stringify(Object.fromEntries(body.members.flatMap(name => (name in input ? [[name, input[name]]] : []))))
}

const toForm = async (members: readonly string[], requirement: JsonObject, input: JsonObject): Promise<FormData> => {
  const files = new Set(fileMembersOf(requirement).map(it => it.name))
  const form = new FormData()
  for (const [name, value] of members.flatMap(it => [input[it] ?? []].flat().map(value => [it, value] as const))) {
    const text = toText(value)
    if (files.has(name)) form.append(name, await openAsBlob(text), basename(text))
    else form.append(name, text)
  }
  return form
}

const typeOfBytes = (requirement: JsonObject): string => {
  const [type = ''] = (fileMembersOf(requirement)[0]?.mediaType ?? '').split(',')
  return type === '' || type.includes('*') ? 'application/octet-stream' : type
}

const readAtMost = async (answer: Response, mostBytes: number): Promise<Buffer> => {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body ?? []) {
    size += part.length
    if (size > mostBytes) throw new Error('The answer is too large for a deliverable.')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

const read = async (answer: Response): Promise<Json> => {
  const bytes = await readAtMost(answer, maxBytes)
  const text = bytes.toString('utf8')
  if (!answer.ok) throw new Error(`The API answered ${answer.status}: ${text.slice(0, 300)}`)
  return json.safeParse(parseJson(text)).data ?? text
}
