import { type OpenAPIHono, z } from '@hono/zod-openapi'
import type { Operation } from '../operations/operation.ts'
import type { Route } from './routes.ts'
import { routes } from './routes.ts'

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

const bodyMethods = new Set(['post', 'put'])
const json = 'application/json'
const eventStream = { 'text/event-stream': { schema: { type: 'string' as const } } }

type Registry = OpenAPIHono['openAPIRegistry']

/** Enters every route into the OpenAPI document. */
export const describeRoutes = (app: OpenAPIHono): void => {
  const registry = app.openAPIRegistry
  const security = registry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
  })
  const toRef = createSchemas(registry)
  const refusal = toRef('Problem', problem, 'output')
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
      ...(operation.caller === 'user' && { security: [{ [security.name]: [] }] }),
      request: toRequest(route, toRef),
      responses: {
        [route.status ?? 200]: { description: 'Done.', content: toAnswer(route, toRef) },
        ...(operation.isUnavailable && {
          503: { description: 'It cannot do its work now; the answer says why.', content: toAnswer(route, toRef) },
        }),
        default: { description: 'A problem (RFC 9457).', content: { 'application/problem+json': { schema: refusal } } },
      },
    })
  }
}

type ToRef = ReturnType<typeof createSchemas>

/** Path members are texts; the rest of an object input is the query of a GET and the body of a POST. */
const toRequest = ({ method, path, operation }: Route, toRef: ToRef) => {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].flatMap(match => match[1] ?? [])
  const params = z.object(Object.fromEntries(inPath.map(name => [name, z.string()])))
  const rest = withoutMembers(operation.input, inPath)
  if (!bodyMethods.has(method)) return { params, ...(rest instanceof z.ZodObject && { query: rest }) }
  const schema = toRef(`${operation.name}Input`, rest, 'input')
  return { params, body: { required: rest instanceof z.ZodObject, content: { [json]: { schema } } } }
}

const withoutMembers = (input: Operation['input'], names: string[]) =>
  input instanceof z.ZodObject && names.length > 0
    ? z.object(Object.fromEntries(Object.entries(input.shape).filter(([name]) => !names.includes(name))))
    : input

const toAnswer = ({ operation, stream }: Route, toRef: ToRef) => ({
  ...((stream === undefined || stream === 'events' || stream === 'ag-ui') && {
    [json]: { schema: toRef(`${operation.name}Output`, operation.output, 'output') },
  }),
  ...(stream && eventStream),
})

/** Names schemas in the document. Zod writes them itself: JSON that holds JSON has no end for the registry's own writer. */
const createSchemas = (registry: Registry) => {
  const refs = new Map<string, { $ref: string }>()
  return (name: string, schema: z.ZodType, io: 'input' | 'output'): { $ref: string } => {
    const known = refs.get(name)
    if (known) return known
    const { $schema: _dialect, ...written } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
    const placed = JSON.stringify(written).replaceAll('"#/$defs/', `"#/components/schemas/${name}/$defs/`)
    const { ref } = registry.registerComponent('schemas', name, JSON.parse(placed))
    refs.set(name, ref)
    return ref
  }
}
