import { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import { accessOf, operation, userOf } from '../operation.ts'

export const revokeTokens = operation({
  name: 'revokeTokens',
  summary: 'Revoke the token of this request, or with all: true every token of its wallet. Takes effect at once.',
  input: z.object({ all: z.boolean().default(false) }),
  output: z.object({ revoked: z.enum(['this', 'all']) }),

  async run({ all }, deps, caller) {
    const access = accessOf(deps)
    if (all) {
      await access.revokeAll(userOf(caller))
      return { revoked: 'all' as const }
    }
    if (!caller.token) throw new Problem('unauthenticated')
    await access.revokeOne(caller.token)
    return { revoked: 'this' as const }
  },
})

/** A wallet without a fresh proof cannot reopen key mode, because its token may come from a bare signature that others saw. */
export const setKeyMode = operation({
  name: 'setKeyMode',
  summary:
    'Set whether your wallet may sign in with a bare signature of a fixed text (default: ' +
    'no, once you have signed in with a fresh one).',
  input: z.object({ allowed: z.boolean() }),
  output: z.object({ allowed: z.boolean() }),

  async run({ allowed }, { store }, caller) {
    const wallet = userOf(caller)
    const isFresh = (await store.keyMode(wallet)) === 'fresh'
    if (!allowed || !isFresh) await store.setKeyMode(wallet, allowed ? 'open' : 'closed')
    return { allowed }
  },
})
