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
