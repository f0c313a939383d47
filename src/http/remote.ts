import { z } from 'zod'
import { isObject } from '../domain/json.ts'
import { isProblemName, Problem } from '../domain/problem.ts'
import type { Operation } from '../operations/operation.ts'
import type { Route } from './route.ts'

type Service = { url: string; token: string; fetch: typeof globalThis.fetch; routes: readonly Route[] }

const refusal = z.object({ code: z.string(), detail: z.string() })

/**
 * Returns a function that calls an operation of a running service over HTTP, by one of these routes. The function resolves with
 * the parsed response body, or a file whose bytes can be read once, and throws the Problem that the service answered, or `busy`
 * when it cannot be reached.
 */
export const createRemote =
  ({ url, token, fetch, routes }: Service) =>
  async (operation: Operation, input: unknown, { key }: { key?: string } = {}): Promise<unknown> => {
    const route = routes.find(it => it.operation === operation && !it.stream)
    if (!route) throw new RangeError(`${operation.name} has no route`)
    const members: Record<string, unknown> = isObject(input) ? { ...input } : {}
    const path = route.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
      const value = encodeURIComponent(String(members[name]))
      delete members[name]
      return value
    })
    const isGet = route.method === 'get'
    const query = isGet
      ? `?${new URLSearchParams(Object.fromEntries(Object.entries(members).map(([name, value]) => [name, String(value)])))}`
      : ''
    const response = await fetch(`${url}${path}${query}`, {
      method: route.method.toUpperCase(),
      headers: {
        authorization: `Bearer ${token}`,
        ...(!isGet && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(!isGet && { body: JSON.stringify(members) }),
    }).catch(() => {
      throw new Problem('busy', `The service at ${url} does not answer.`)
    })
    if (response.ok && route.givesFile) return { open: () => response.body ?? new ReadableStream() }
    const body: unknown = await response.json()
    if (response.ok) return body
    const said = refusal.safeParse(body)
    throw said.success && isProblemName(said.data.code) ? new Problem(said.data.code, said.data.detail) : new Problem('internal')
  }
