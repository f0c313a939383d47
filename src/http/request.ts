import type { Context } from 'hono'
import type { Address } from '../domain/hex.ts'
import { isObject } from '../domain/json.ts'
import { Problem } from '../domain/problem.ts'
import type { Caller, Deps } from '../operations/operation.ts'

/** Path members, query members and the body as one input; a body that is no object has no members. */
export const readInput = async (c: Context): Promise<Record<string, unknown>> => {
  const body = await readBody(c)
  return { ...c.req.query(), ...(isObject(body) ? body : {}), ...c.req.param() }
}

const readBody = async (c: Context): Promise<unknown> => {
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return undefined
  const text = await c.req.text()
  if (text === '') return undefined
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? '')) throw new Problem('unsupported-media-type')
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem('invalid-json')
  }
}

/** Who asks. A token that comes is checked even where none is needed: a bad one never falls back to nobody. */
export const readCaller = async (c: Context, { identity }: Deps): Promise<Caller> => {
  const header = c.req.header('authorization')
  const key = c.req.header('idempotency-key')
  if (key && key.length > 255) throw new Problem('invalid-input', 'An idempotency key has at most 255 characters.')
  return { wallet: header ? await identity.verify(bearerOf(header)) : undefined, idempotencyKey: key, signal: c.req.raw.signal }
}

const bearerOf = (header: string): string => {
  const [, token] = /^Bearer ([\w.~+/=-]{1,8192})$/i.exec(header) ?? []
  if (!token) throw new Problem('invalid-token', 'Send Authorization: Bearer <token>.')
  return token
}

export type Verify = (token: string) => Promise<Address>
