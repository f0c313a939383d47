import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { accessOf, operation } from '../operation.ts'

export const startAuthorization = operation({
  name: 'startAuthorization',
  summary: 'Start an authorization session; the user opens auth_url and approves with their wallet.',
  caller: 'anyone',
  input: z.unknown(), // existing clients send the JSON text true
  output: z.object({ code: z.string(), auth_url: z.string(), authUrl: z.string() }),

  async run(_input, { identity, settings }) {
    const { code } = await identity.begin()
    const url = `${settings.publicUrl}/authorize?code=${code}`
    return { code, auth_url: url, authUrl: url }
  },
})

/**
 * For programs that wait for the approval of their session. A session may be started by a third party, so the user decides on
 * the page whether the waiting program gets a token.
 */
export const readAuthorizationStatus = operation({
  name: 'readAuthorizationStatus',
  summary: 'The token of an approved session, returned once to the client that started it; no token before approval.',
  caller: 'anyone',
  input: z.object({ code: z.string().max(100) }),
  output: z.object({ status: z.enum(['pending', 'approved']), token: z.string().optional(), expires_at: z.string().optional() }),

  async run({ code }, deps) {
    const issued = await accessOf(deps).claim(code)
    if (!issued) return { status: 'pending' as const }
    return { status: 'approved' as const, token: issued.token, expires_at: toIso(issued.expiresAt) }
  },
})
