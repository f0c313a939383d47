import { z } from 'zod'
import { anyChainId } from '../../domain/chains/chains.ts'
import { toWallet } from '../../domain/hex.ts'
import { Problem } from '../../domain/problem.ts'
import { butlerRecord } from '../../records/butler.ts'
import { chainOf, operation, userOf } from '../operation.ts'
import { butlerHandle, toButlerRecord } from './butlerRecord.ts'

/** The token is the only credential. A wallet, signature or text in the body is ignored. */
export const activateButler = operation({
  name: 'activateButler',
  summary: "Activate the user's butler on a chain. There is one per wallet and chain; activating it again returns the same one.",
  scope: 'hire',
  input: z.object({ chain_id: anyChainId, wallet_address: z.string().max(200).nullish() }).loose(),
  output: butlerRecord.extend({ status: z.literal('activated') }),

  async run({ chain_id, wallet_address }, deps, caller) {
    const wallet = userOf(caller)
    if (wallet_address && toWallet(wallet_address) !== wallet)
      throw new Problem('wrong-owner', 'wallet_address does not match the wallet of the token.', '/wallet_address')
    chainOf(deps, chain_id)
    const row = await deps.store.activateButler(wallet, chain_id, butlerHandle(wallet))
    return { ...(await toButlerRecord(row, deps)), status: 'activated' as const }
  },
})
