import { isProduction } from '../../domain/chains/chains.ts'
import { dayMs, toIso } from '../../domain/durations.ts'
import { type Address, hex, toWallet } from '../../domain/hex.ts'
import { canonical, jsonObject, sha256 } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { registrationMessage } from '../../domain/net/wireTexts.ts'
import type { RegistrationBody } from '../../domain/offerings/registration.ts'
import { ChallengeProblem, Problem } from '../../domain/problem.ts'
import type { Tables } from '../../ports.ts'
import { isPublic } from '../gasBudget.ts'
import { isSignedBy } from '../identity/isSignedBy.ts'
import type { Registering } from '../identityParts.ts'
import { accessOf, type Caller, chainOf, type Deps } from '../operation.ts'

/**
 * The owner of a registration, and the kind of proof. `signature` is the bare signature of a fixed text. It is the same each
 * time, like a password, so it may register an agent but never change one.
 */
export type Registrant =
  | { owner: Address; proof: 'token' }
  | { owner: Address; proof: 'fresh'; nonce: string }
  | { owner: Address; proof: 'signature'; source: string | undefined }

/**
 * Determines the owner. A token takes precedence over a signature. A body that names another wallet than the credential is
 * refused (specification, Authentication).
 * @throws Problem wrong-owner, unauthenticated, signature-mismatch, bare-signature-refused, fresh-proof-required
 */
export const registrantOf = async (body: RegistrationBody, deps: Deps, caller: Caller): Promise<Registrant> => {
  const named = body.user_id ? toWallet(body.user_id) : undefined
  if (caller.wallet) {
    if (named && named !== caller.wallet)
      throw new Problem('wrong-owner', 'user_id does not match the wallet of the token.', '/user_id')
    return { owner: caller.wallet, proof: 'token' }
  }
  if (!body.signature)
    throw new Problem('unauthenticated', 'Register with a bearer token or with user_id, signature and message.')
  const message = body.message ?? ''
  const nonce = named && deps.access?.challengeOf(toRegistering(body, named), message)
  const signature = hex.safeParse(body.signature)
  const isOurText = message === registrationMessage || nonce !== undefined
  const isSigned =
    named !== undefined &&
    signature.success &&
    isOurText &&
    (await isSignedBy({ wallet: named, message, signature: signature.data, chainId: body.chain_id }, deps, caller))
  if (!isSigned)
    throw new Problem(
      'signature-mismatch',
      `The signature must be of "${registrationMessage}" or of a fresh challenge, by the wallet in user_id.`,
    )
  if (nonce !== undefined) return { owner: named, proof: 'fresh', nonce }
  await checkKeyRegistration({ owner: named, body }, deps)
  return { owner: named, proof: 'signature', source: caller.source }
}

type KeyRegistration = { owner: Address; body: RegistrationBody }

const checkKeyRegistration = async ({ owner, body }: KeyRegistration, deps: Deps) => {
  const { store } = deps
  if ((await store.keyMode(owner)) === 'closed')
    throw challenging(
      'bare-signature-refused',
      'This wallet has signed a fresh challenge before, so its bare signature no longer registers agents. ' +
        'POST /v1/key-mode with its token allows that again.',
      { deps, owner, body },
    )
  if (isProduction(body.chain_id))
    throw challenging('fresh-proof-required', 'This chain holds real money.', { deps, owner, body })
}

type BareQuota = { aDay: number; inAll: number; ofAddressADay: number }

/** Limits of registrations by bare signature. On the embedded chain gas is free, so they only prevent spam. */
const quotas: Record<'public' | 'embedded', BareQuota> = {
  public: { aDay: limits.keyAgentsADay, inAll: limits.keyAgents, ofAddressADay: limits.keyAgentsOfAddressADay },
  embedded: { aDay: limits.freeKeyAgents, inAll: limits.freeKeyAgents, ofAddressADay: limits.freeKeyAgentsOfAddressADay },
}

/**
 * Limits new agents by bare signature, per wallet and per network address.
 * @throws Problem fresh-proof-required, registration-quota
 */
export const checkQuota = async (
  tables: Pick<Tables, 'countKeyRegistrations'>,
  { registrant, body, deps }: { registrant: Registrant; body: RegistrationBody; deps: Deps },
): Promise<void> => {
  if (registrant.proof !== 'signature') return
  const { owner, source } = registrant
  const { aDay, inAll, ofAddressADay } = quotas[isPublic(chainOf(deps, body.chain_id)) ? 'public' : 'embedded']
  const [ever, today] = [
    await tables.countKeyRegistrations({ wallet: owner }),
    await tables.countKeyRegistrations({ wallet: owner }, dayMs),
  ]
  if (ever >= inAll || today >= aDay)
    throw challenging(
      'fresh-proof-required',
      `A wallet can register ${aDay} agents a day and ${inAll} in total with a bare signature.`,
      { deps, owner, body },
    )
  if (source !== undefined && (await tables.countKeyRegistrations({ source }, dayMs)) >= ofAddressADay)
    throw new Problem(
      'registration-quota',
      'Too many agents were registered from your network address today. Register with a token.',
    )
}

const challenging = (
  type: 'fresh-proof-required' | 'bare-signature-refused',
  detail: string,
  { deps, owner, body }: { deps: Deps; owner: Address; body: RegistrationBody },
) => {
  const { message, expiresAt } = accessOf(deps).challenge(toRegistering(body, owner))
  const how =
    'Sign `message` with the wallet (EIP-191) and send the same body with it as message and its signature, or use a token.'
  return new ChallengeProblem(type, detail, { message, expires_at: toIso(expiresAt), how })
}

const toRegistering = (body: RegistrationBody, wallet: Address): Registering => ({
  wallet,
  chainId: body.chain_id,
  handle: body.handle,
  bodyHash: sha256(canonical(toEcho(body))),
})

/** The body as returned to clients, without its credential. */
export const toEcho = ({ signature: _signature, message: _message, user_id: _user, ...body }: RegistrationBody) =>
  jsonObject.parse(JSON.parse(JSON.stringify(body)))
