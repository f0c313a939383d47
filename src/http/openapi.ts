import { OpenAPIHono, z } from '@hono/zod-openapi'
import type { Operation } from '../operations/operation.ts'
import type { Route } from './route.ts'

const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  code: z.string(),
  retry: z.boolean(),
  pointer: z.string().optional(),
  challenge: z.object({ message: z.string(), expires_at: z.string(), how: z.string() }).optional(),
})

/** Error responses that every operation can return. `GET /problems` lists all others. */
const refusals = [
  [401, 'The token is missing or not valid.'],
  [422, 'The input is not valid.'],
  [429, 'Too many requests.'],
] as const

const bodyMethods = new Set(['post', 'put', 'patch'])
const json = 'application/json'
const fileBytes = { 'application/octet-stream': { schema: { type: 'string' as const, format: 'binary' } } }
const eventStream = { 'text/event-stream': { schema: { type: 'string' as const } } }

type Registry = OpenAPIHono['openAPIRegistry']

/** Returns the OpenAPI 3.1 document of these routes. `publicUrl` becomes the server URL. */
export const toDocument = (routes: readonly Route[], publicUrl: string) => {
  const app = new OpenAPIHono()
  describeRoutes(app.openAPIRegistry, routes)
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Agent marketplace', version: '1', license: { name: 'MIT', url: 'https://opensource.org/license/mit' } },
    servers: [{ url: publicUrl }],
    // The default for operations without their own security. The empty requirement allows calls without a credential.
    security: [{}, { bearer: [] }, { agentSecret: [] }],
    tags: Object.entries(tags).map(([name, { about }]) => ({ name, description: about })),
  })
}

const describeRoutes = (registry: Registry, routes: readonly Route[]): void => {
  const security = registry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
  })
  registry.registerComponent('securitySchemes', 'agentSecret', {
    type: 'apiKey',
    in: 'header',
    name: 'X-Agent-Secret',
  })
  const bearer = { [security.name]: [] }
  const toRef = createSchemas(registry)
  const refused = { 'application/problem+json': { schema: toRef('Problem', problem, 'output') } }
  const named = new Set<string>()
  for (const route of routes) {
    const { method, path, operation } = route
    const operationId = named.has(operation.name) ? `${operation.name}${path.replace(/\W+/g, '_')}` : operation.name
    named.add(operation.name)
    registry.registerPath({
      method,
      path,
      operationId,
      summary: operation.summary,
      tags: [tagOf(path)],
      ...(operation.caller === 'user' && { security: [bearer] }),
      request: toRequest(route, toRef),
      responses: {
        [route.status ?? 200]: { description: 'Success.', ...(route.status !== 204 && { content: toAnswer(route, toRef) }) },
        ...(operation.isUnavailable && {
          503: { description: 'The service is unavailable; the body says why.', content: toAnswer(route, toRef) },
        }),
        ...(operation.refusal && {
          400: {
            description: 'The request is refused; the body says why.',
            content: { [json]: { schema: toRef(`${operation.name}Refusal`, operation.refusal, 'output') } },
          },
        }),
        ...Object.fromEntries(refusals.map(([status, description]) => [status, { description, content: refused }])),
        default: { description: 'A problem (RFC 9457).', content: refused },
      },
    })
  }
}

/** The tags of the document, each with its path prefixes. The first tag with a matching prefix applies. */
const tags = {
  Gateway: {
    about: 'How agents receive jobs and calls.',
    paths: ['/gateway', '/agents/{agent}/gateway-mode', '/agents/{agent}/secret'],
  },
  Tokens: {
    about: 'Tokens of agents: launch, quotes and trades.',
    paths: ['/tokens', '/agents/{agent}/token', '/v1/trades', '/v1/holdings'],
  },
  Service: { about: 'Health and statistics of the service.', paths: ['/health', '/readyz', '/livez', '/stats'] },
  Agents: {
    about: 'Registered agents and their prices.',
    paths: ['/agents', '/my-agents', '/pricing', '/users/{user_id}/agents', '/v1/tests'],
  },
  Market: { about: 'Offerings, services and rankings.', paths: ['/offerings', '/services', '/suggestions', '/rankings'] },
  Postings: { about: 'Job records.', paths: ['/v1/jobs', '/my-jobs', '/tasks', '/jobs'] },
  Hiring: {
    about: 'From a task to a deliverable: proposals, runs and conversations.',
    paths: ['/invoke', '/runs', '/v1/hires', '/conversations', '/butler', '/users/{user_id}/runs'],
  },
  Files: { about: 'Files in and out.', paths: ['/v1/files', '/v1/uploads'] },
  Money: {
    about: 'Wallets, mandates, withdrawals and paid calls (x402).',
    paths: ['/x402', '/.well-known/x402', '/v1/wallets', '/v1/withdrawal', '/v1/mandates', '/balances'],
  },
  Identity: { about: 'Access tokens and accounts.', paths: ['/v1', '/.well-known', '/accounts', '/oauth'] },
} as const satisfies Record<string, { about: string; paths: string[] }>

const tagOf = (path: string): string => {
  const found = Object.entries(tags).find(([, { paths }]) => paths.some(it => path.startsWith(it)))
  if (!found) throw new RangeError(`${path} has no tag`)
  return found[0]
}

type ToRef = ReturnType<typeof createSchemas>

/** Path parameters are strings. The other members of an object input are the query of a GET or the body of a POST or PUT. */
const toRequest = ({ method, path, operation, takesFile }: Route, toRef: ToRef) => {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].flatMap(match => match[1] ?? [])
  const params = z.object(Object.fromEntries(inPath.map(name => [name, z.string()])))
  const rest = withoutMembers(operation.input, takesFile ? [...inPath, 'upload'] : inPath)
  if (!bodyMethods.has(method)) return { params, ...(rest instanceof z.ZodObject && { query: rest }) }
  if (takesFile)
    return { params, ...(rest instanceof z.ZodObject && { query: rest }), body: { required: true, content: fileBytes } }
  const schema = toRef(`${operation.name}Input`, rest, 'input')
  return { params, body: { required: rest instanceof z.ZodObject, content: { [json]: { schema } } } }
}

const withoutMembers = (input: Operation['input'], names: string[]) =>
  input instanceof z.ZodObject && names.length > 0
    ? z.object(Object.fromEntries(Object.entries(input.shape).filter(([name]) => !names.includes(name))))
    : input

const toAnswer = ({ operation, stream, givesFile }: Route, toRef: ToRef) => ({
  ...(givesFile && fileBytes),
  ...(!givesFile &&
    (stream === undefined || ['events', 'ag-ui', 'a2a-method'].includes(stream)) && {
      [json]: { schema: toRef(`${operation.name}Output`, operation.output, 'output') },
    }),
  ...(stream && eventStream),
})

/**
 * Registers each schema once under its name and returns a reference to it. Zod generates the JSON Schema, because the
 * registry's own generator does not terminate on recursive schemas.
 */
const createSchemas = (registry: Registry) => {
  const refs = new Map<string, { $ref: string }>()
  return (name: string, schema: z.ZodType, io: 'input' | 'output'): { $ref: string } => {
    const known = refs.get(name)
    if (known) return known
    const { $schema: _dialect, ...written } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
    const { ref } = registry.registerComponent('schemas', name, hoist(written, { name, registry }))
    refs.set(name, ref)
    return ref
  }
}

const defined = z.object({ $defs: z.record(z.string(), z.unknown()).optional() })
const anyJson = 'Json'
/** Not recursive, because some client generators create a type from it that refers to itself. */
const anything = { description: 'Any JSON value.' }

/**
 * Moves the `$defs` of a schema to `components`, because client generators look for them only there. The recursive definition
 * of any JSON value becomes one shared component.
 */
const hoist = (written: object, { name, registry }: { name: string; registry: Registry }): Record<string, unknown> => {
  const definitions = Object.entries(defined.parse(written).$defs ?? {})
  const nameOf = ([key, it]: [string, unknown]) => (isAnyJson(key, it) ? anyJson : `${name}_${key.replace(/^_+/, '')}`)
  const names = new Map(definitions.map(it => [it[0], nameOf(it)]))
  const place = (it: unknown): Record<string, unknown> =>
    z.record(z.string(), z.unknown()).parse(
      JSON.parse(JSON.stringify(it), (key, value: unknown) => {
        const [, old] = key === '$ref' ? (/^#\/\$defs\/(.+)$/.exec(String(value)) ?? []) : []
        return old === undefined ? value : `#/components/schemas/${names.get(old) ?? old}`
      }),
    )
  for (const [key, it] of definitions)
    registry.registerComponent('schemas', names.get(key) ?? key, isAnyJson(key, it) ? anything : place(it))
  const { $defs: _definitions, ...placed } = place(written)
  return placed
}

/** Whether a definition is Zod's recursive schema of any JSON value. `key` is the name by which it refers to itself. */
const isAnyJson = (key: string, it: unknown): boolean => {
  const known = defined.parse(z.toJSONSchema(z.object({ it: z.json() }))).$defs ?? {}
  return Object.entries(known).some(([name, any]) => JSON.stringify(any).replaceAll(name, key) === JSON.stringify(it))
}
