import { z } from 'zod'
import { defaultChainId } from '../../domain/chains/chains.ts'
import { minuteMs } from '../../domain/durations.ts'
import { type Address, hex } from '../../domain/hex.ts'
import { canonical, sha256 } from '../../domain/json.ts'
import { Problem } from '../../domain/problem.ts'
import { isSignedBy } from '../../operations/identity/isSignedBy.ts'
import { accessOf, type Caller, type Deps, userOf } from '../../operations/operation.ts'
import { presence } from './presence.ts'

const recoveredMs = 15 * minuteMs
const purpose = 'passkey:recovered'

/** How a person shows that they are there, and not only somebody with their session. Without one of these, a passkey is asked. */
export const freshCheck = z.object({
  proof: z.string().max(300).optional().describe('What POST /v1/passkeys/recover gave, once'),
  code: z.string().max(100).optional().describe('A session of POST /v1/init whose text your own wallet signed'),
  signature: hex.optional().describe('That signature'),
  chain_id: z.number().int().optional().describe('The chain that the text names'),
})
type Check = z.infer<typeof freshCheck>

/** A proof that its holder used the recovery code of a wallet just now. */
export const makeRecovered = (deps: Deps, wallet: Address): string =>
  accessOf(deps).pack(`${deps.clock.now() + recoveredMs} ${wallet} ${deps.ids.fresh('recovery')}`, purpose)

const useRecovered = async (deps: Deps, wallet: Address, proof: string): Promise<void> => {
  const [until = '', of] = accessOf(deps).unpack(proof, purpose)?.split(' ') ?? []
  const isFresh = of === wallet && Number(until) > deps.clock.now()
  const use = { code: sha256(proof), wallet, until: Number(until), claimable: false }
  if (!isFresh || !(await deps.store.spendCode(use)))
    throw new Problem('signature-mismatch', 'This proof of your recovery code has ended, or was used before.')
}

type Signed = Required<Pick<Check, 'code' | 'signature'>> & Pick<Check, 'chain_id'>
/** The signature of a wallet of one's own. The key of a wallet that is kept here proves nothing about a person. */
const useSignature = async (deps: Deps, { code, signature, chain_id }: Signed, caller: Caller): Promise<void> => {
  const wallet = userOf(caller)
  if ((await deps.wallets.ensure('user', wallet)) === wallet) throw new Problem('signature-mismatch')
  const message = await deps.identity.messageOf(code, wallet, chain_id)
  const signed = { wallet, message, signature, chainId: chain_id ?? defaultChainId }
  const signer = (await isSignedBy(signed, deps, caller)) ? wallet : undefined
  await deps.identity.approve({ code, wallet, signer, handOver: false })
}

/**
 * Checks that the person is there: by a passkey, by the recovery code, or by the signature of their own wallet.
 * @throws PasskeyProblem, Problem signature-mismatch, fresh-proof-required
 */
export const checkFresh = async (deps: Deps, { proof, code, signature, chain_id }: Check, caller: Caller): Promise<void> => {
  const user = userOf(caller)
  if (proof !== undefined) return useRecovered(deps, user, proof)
  if (code !== undefined && signature !== undefined) return useSignature(deps, { code, signature, chain_id }, caller)
  if (!(await presence.hasPasskey(user, deps))) throw new Problem('fresh-proof-required', unsigned)
  const terms = canonical({ operation: 'addPasskey', wallet: user })
  await presence.demand({ user, operation: 'addPasskey', terms, digest: sha256(terms), answer: caller.passkeyAnswer }, deps)
}

const unsigned =
  'Sign in with your wallet anew: POST /v1/init, sign the text of GET /v1/approve, and send code and signature here.'
