import { type OpenAPIHono, z } from '@hono/zod-openapi'
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
})

const bodyMethods = new Set(['post', 'put'])
const json = 'application/json'

const pathMembers = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].flatMap(match => match[1] ?? [])

/** Path members are texts; the rest of an object input is the query of a GET and the body of a POST. */
const toRequest = ({ method, path, operation }: Route) => {
  const inPath = pathMembers(path)
  const params = z.object(Object.fromEntries(inPath.map(name => [name, z.string()])))
  const isBody = bodyMethods.has(method)
  const input = operation.input
  const rest =
    input instanceof z.ZodObject
      ? z.object(Object.fromEntries(Object.entries(input.shape).filter(([name]) => !inPath.includes(name))))
      : undefined
  return {
    params,
    ...(!isBody && rest && { query: rest }),
    ...(isBody && { body: { required: true, content: { [json]: { schema: rest ?? input } } } }),
  }
}

/** Enters every route into the OpenAPI document. */
export const describeRoutes = (app: OpenAPIHono): void => {
  const security = app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
  })
  for (const route of routes) {
    const { method, path, operation } = route
    app.openAPIRegistry.registerPath({
      method,
      path,
      operationId: `${operation.name}_${method}_${path.replace(/\W+/g, '_')}`,
      summary: operation.summary,
      ...(operation.caller === 'user' && { security: [{ [security.name]: [] }] }),
      request: toRequest(route),
      responses: {
        200: { description: 'Done.', content: { [json]: { schema: operation.output } } },
        default: { description: 'A problem (RFC 9457).', content: { 'application/problem+json': { schema: problem } } },
      },
    })
  }
}
