import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { hex } from '../../domain/hex.ts'
import { loginMessage } from '../../domain/net/wireTexts.ts'
import { Problem } from '../../domain/problem.ts'
import { accessOf, operation, preselectedChainOf, servesRealMoney } from '../operation.ts'
import { welcome } from '../wallets/readWallet.ts'
import { walletAddress } from './approveAuthorization.ts'
import { isSignedBy } from './isSignedBy.ts'

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

/**
 * Issues a token for the signature of a fixed text. The signature never changes, so anyone who sees it once can get tokens. It
 * is therefore accepted only where no chain with real money is configured, and the token lives for a day. The first fresh
 * sign-in of the wallet revokes those tokens and refuses the signature, unless the owner reopens key mode.
 */
export const logIn = operation({
  name: 'logIn',
  summary: `A token of one day for the signature of "${loginMessage}" ; not where real money is served.`,
  caller: 'anyone',
  input: z.object({ address: walletAddress, signature: hex, message: z.string().default(loginMessage) }),
  output: z.object({ token: z.string(), expires_at: z.string() }),

  async run({ address, signature, message }, deps, caller) {
    if (servesRealMoney(deps))
      throw new Problem('bare-signature-refused', 'This service handles real money. Sign in with POST /v1/init.')
    const signed = { wallet: address, message, signature, chainId: preselectedChainOf(deps) }
    if (message !== loginMessage || !(await isSignedBy(signed, deps, caller))) throw new Problem('signature-mismatch')
    if ((await deps.store.lockKeyMode(address)) === 'closed')
      throw new Problem(
        'bare-signature-refused',
        'This wallet has signed in with a fresh challenge before. Sign in with POST /v1/init.',
      )
    const { token, expiresAt } = await accessOf(deps).issueForADay(address)
    await welcome(address, deps)
    return { token, expires_at: toIso(expiresAt) }
  },
})
