import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { hex } from '../../domain/hex.ts'
import { loginMessage } from '../../domain/net/wireTexts.ts'
import { Problem } from '../../domain/problem.ts'
import { accessOf, operation, preselectedChainOf, servesRealMoney } from '../operation.ts'
import { welcome } from '../wallets/welcome.ts'
import { walletAddress } from './approveAuthorization.ts'
import { isSignedBy } from './isSignedBy.ts'

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
