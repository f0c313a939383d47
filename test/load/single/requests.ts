import { z } from 'zod'
import { described, fill, materialNames, textOf } from './fillings.ts'

export type Case = {
  name: string
  method: string
  path: string
  /** A body, or what prepares one for each request. */
  body?: Buffer | (() => Promise<Buffer>)
  headers?: Record<string, string>
  /** How long the work of the request goes on after its response, in ms. */
  settleMs?: number
}

const media = z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.unknown() })).optional() })
const parameter = z.looseObject({ name: z.string(), in: z.string(), schema: z.unknown() })
const operation = z.looseObject({ parameters: z.array(parameter).default([]), requestBody: media.optional() })
export const openapi = z.looseObject({
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
  paths: z.record(z.string(), z.record(z.string(), operation)),
})
type Document = z.infer<typeof openapi>
type Operation = z.infer<typeof operation>
/** Values of path and body members by their name, such as the id of an agent. */
export type Known = Record<string, string>

/** The largest request line that Node reads has 16 KB. */
const queryChars = 14_000
/** Sizes of a body: below the bound of a caller without a token, and at the largest bound. */
const bodyBytes = [60_000, 1_000_000]

/** Requests to every operation of a service: the largest values of many kinds, and bodies with far too many members. */
export const toCases = (document: Document, known: Known): Case[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, it]) => {
      const at = { name: `${method.toUpperCase()} ${path}`, method: method.toUpperCase(), it, path, document, known }
      return it.requestBody ? [...filled(at), ...structured(at)] : queried(at)
    }),
  )

type At = { name: string; method: string; path: string; it: Operation; document: Document; known: Known }

const placed = ({ path, known }: At): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(known[name] ?? 'x'))

const queried = (at: At): Case[] => {
  const names = at.it.parameters.filter(it => it.in === 'query')
  const texts = names.filter(it => isText(it.schema, at.document)).length
  if (texts === 0)
    return [{ name: at.name, method: at.method, path: `${placed(at)}${toQuery(at, names, { material: '1', chars: 3 })}` }]
  return materialNames.map(material => {
    const chars = Math.floor(queryChars / texts / (encodeURIComponent(textOf(material, 300)).length / 300))
    return { name: `${at.name} ${material}`, method: at.method, path: `${placed(at)}${toQuery(at, names, { material, chars })}` }
  })
}

const isText = (schema: unknown, { components }: Document): boolean =>
  typeof fill(schema, { material: 'x', chars: 9, items: 1, refs: components.schemas, known: {} }) === 'string' &&
  described.safeParse(schema).data?.enum === undefined

type Text = { material: string; chars: number }

const toQuery = ({ document, known }: At, names: Operation['parameters'], text: Text): string => {
  const entries = names.map(({ name, schema }): [string, string] => {
    const value = known[name] ?? fill(schema, { ...text, items: 1, refs: document.components.schemas, known })
    return [name, typeof value === 'object' ? JSON.stringify(value) : String(value)]
  })
  return entries.length > 0 ? `?${new URLSearchParams(entries)}` : ''
}

const schemaOf = ({ it }: At): unknown => it.requestBody?.content?.['application/json']?.schema

const filled = (at: At): Case[] =>
  materialNames.flatMap(material =>
    [2_000, 32_000].map(chars => {
      const { schemas } = at.document.components
      const value = fill(schemaOf(at), { material, chars, items: 100, refs: schemas, known: at.known })
      return { name: `${at.name} ${material} ${chars}`, method: at.method, path: placed(at), body: toBody(value) }
    }),
  )

const toBody = (value: unknown): Buffer => {
  const text = JSON.stringify(value)
  return Buffer.from(text.length > 1_000_000 ? '{}' : text)
}

/** Members that no schema names. */
const structures: Readonly<Record<string, (bytes: number) => string>> = {
  'many members': bytes => repeated(bytes, 12, at => `"k${at}":1`),
  'long names': bytes => repeated(bytes, 220, at => `"${'n'.repeat(200)}${at}":1`),
  'a list of numbers': bytes => `"extra":[${repeated(bytes, 2, () => '0')}]`,
  'a list of empty objects': bytes => `"extra":[${repeated(bytes, 3, () => '{}')}]`,
  'nested lists': bytes => `"extra":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`,
  'lists in 60 levels': bytes => `"extra":[${repeated(bytes, 122, () => `${'['.repeat(60)}1${']'.repeat(60)}`)}]`,
  'a long text': bytes => `"extra":"${'x'.repeat(bytes)}"`,
  'a long text of escapes': bytes => `"extra":"${'\\u00e9'.repeat(bytes / 6)}"`,
}

const repeated = (bytes: number, each: number, one: (at: number) => string): string =>
  Array.from({ length: Math.floor(bytes / each) }, (_, at) => one(at)).join(',')

const structured = (at: At): Case[] =>
  bodyBytes.flatMap(bytes =>
    Object.entries(structures).map(([what, toMembers]) => {
      const { schemas } = at.document.components
      const legal = fill(schemaOf(at), { material: 'letters', chars: 20, items: 1, refs: schemas, known: at.known })
      const inside = typeof legal === 'object' && legal !== null ? JSON.stringify(legal).slice(1, -1) : ''
      const text = `{${[inside, toMembers(bytes - inside.length - 100)].filter(Boolean).join(',')}}`
      return { name: `${at.name} ${what} ${bytes}`, method: at.method, path: placed(at), body: Buffer.from(text) }
    }),
  )
