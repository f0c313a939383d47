import type { z } from 'zod'
import { Problem } from '../domain/problem.ts'
import type { Tables } from '../ports.ts'

/** What makes a request recognisable when it comes again. */
export type RequestKey = { scope: string; key: string; hash: string }

/**
 * Does the work once a key, in the transaction of its claim: the same request again gets the first answer.
 * @throws Problem idempotency-conflict when the key came with another request
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
