import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { endOwn } from '../../operations/endOwn.ts'
import { accessOf, type Deps, operation, userOf } from '../../operations/operation.ts'
import { programRecord } from '../../records/program.ts'
import { toSentences } from './authorize.ts'
import { toRedirectHost } from './clients.ts'
import { grantTables, type ProgramGrant } from './ports.ts'
import { readSecret } from './secrets.ts'

export const listPrograms = operation({
  name: 'listPrograms',
  summary: 'The programs that may act for you, newest first: their own names, since when, last use and scopes.',
  input: z.object({}),
  output: z.object({ programs: z.array(programRecord) }),

  async run(_input, { store }, caller) {
    const grants = await grantTables(store).grantsOf(userOf(caller))
    return {
      programs: grants.map(it => ({
        program_id: it.id,
        name: it.clientName,
        redirect_host: toRedirectHost(it.redirectUri),
        scopes: toSentences(it.scopes),
        since: toIso(it.createdAt),
        last_used: toIso(it.usedAt),
      })),
    }
  },
})

export const endProgram = endOwn({
  name: 'endProgram',
  summary: 'End what a program may do for you. Its next request is refused.',
  input: z.object({ program_id: z.string().max(100) }),
  missing: 'No such program.',
  end: async ({ program_id }, deps, wallet) => {
    const grant = await grantTables(deps.store).grant(program_id)
    return grant?.wallet === wallet && endGrant(deps, grant)
  },
})

/** An unknown token is answered as one that was revoked (RFC 7009, section 2.2). */
export const revokeProgramToken = operation({
  name: 'revokeProgramToken',
  summary: 'End a grant by its refresh token, or by its access token (RFC 7009).',
  caller: 'anyone',
  input: z.object({ token: z.string().max(4_096).optional().catch(undefined) }),
  output: z.object({}),

  async run({ token = '' }, deps) {
    const access = accessOf(deps)
    const found = readSecret(access, 'oauth-refresh', token)
    const id = found?.grantId ?? (await deps.identity.grantOf(token).catch(() => undefined))?.id
    const grant = id === undefined ? undefined : await grantTables(deps.store).grant(id)
    if (grant) await endGrant(deps, grant)
    return {}
  },
})

/**
 * Ends a grant with all of its tokens. The tokens end first: after a crash in between, the grant is still there to be ended
 * again.
 * @returns false when it had ended before
 */
export const endGrant = async (deps: Deps, { id, wallet }: Pick<ProgramGrant, 'id' | 'wallet'>): Promise<boolean> => {
  await accessOf(deps).revokeGrant(id)
  return grantTables(deps.store).endGrant(id, wallet)
}
