import type { z } from 'zod'
import { canonical, jsonObject, sha256 } from '../domain/json.ts'
import { Problem } from '../domain/problem.ts'
import type { Tables } from '../ports.ts'

/** Identifies a repeated request. */
export type RequestKey = { scope: string; key: string; hash: string }

type Asker = { wallet: string | undefined; idempotencyKey?: string | undefined }

/** The idempotency key of a request, if its caller has a token and sent one. The wait time is not part of the hash. */
export const toRequestKey = (operation: string, asked: unknown, { wallet, idempotencyKey }: Asker): RequestKey | undefined => {
  if (!wallet || !idempotencyKey) return undefined
  const { wait_ms: _patience, ...rest } = jsonObject.parse(JSON.parse(JSON.stringify(asked)))
  return { scope: `${operation}:${wallet}`, key: idempotencyKey, hash: sha256(canonical(rest)) }
}

/**
 * Accepts a repeated request whose work is idempotent, and refuses a different request with the same key.
 * @throws Problem idempotency-conflict
 */
export const checkSame = async (tables: Pick<Tables, 'claimKey'>, { scope, key, hash }: RequestKey): Promise<void> => {
  const before = await tables.claimKey(scope, key, hash)
  if (before !== 'claimed' && before.requestHash !== hash) throw new Problem('idempotency-conflict')
}

/**
 * Does the work once per key, in the transaction that claims it. A repeated request gets the first answer.
 * @throws Problem idempotency-conflict when the key was used for another request
 */
export const once = async <S extends z.ZodType>(
  tables: Tables,
  { request, answer }: { request: RequestKey | undefined; answer: S },
  work: () => Promise<z.output<S> & z.core.util.JSONType>,
): Promise<z.output<S>> => {
  if (!request) return work()
  const before = await tables.claimKey(request.scope, request.key, request.hash)
  if (before === 'claimed') {
    const done = await work()
    await tables.answerKey(request.scope, request.key, done)
    return done
  }
  if (before.requestHash !== request.hash) throw new Problem('idempotency-conflict')
  const known = answer.safeParse(before.answer)
  if (!known.success) throw new Problem('idempotency-in-progress')
  return known.data
}
