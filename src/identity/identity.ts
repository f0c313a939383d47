import { CompactSign } from 'jose'
import { dayMs } from '../domain/durations.ts'
import type { Address } from '../domain/hex.ts'
import { canonical, type JsonObject } from '../domain/json.ts'
import type { Clock, Ids, Sealer, Store, Wakeups } from '../ports.ts'
import { createCodes } from './codes.ts'
import { algorithm, createKeyRing, type KeyRing } from './keyRing.ts'
import { createProofs } from './proofs.ts'
import { createSessions } from './sessions.ts'
import { createSpending } from './spending.ts'
import { createTokens } from './tokens.ts'

type Signing = { statement: JsonObject; type: 'JOSE' | undefined }

/**
 * Signs a statement as a compact JWS (RFC 7515) over canonical JSON. Its `typ` is never that of a token, so no statement is
 * read as one. The key id is that of `/.well-known/did.json` (did:web).
 */
const signStatement = async (ring: KeyRing, publicUrl: string, { statement, type }: Signing): Promise<string> => {
  const { kid, privateKey } = await ring.signer()
  return new CompactSign(new TextEncoder().encode(canonical(statement)))
    .setProtectedHeader({
      alg: algorithm,
      kid: `did:web:${encodeURIComponent(new URL(publicUrl).host)}#${kid}`,
      ...(type && { typ: type }),
    })
    .sign(privateKey)
}

type Reach = {
  store: Store
  sealer: Sealer
  clock: Clock
  wakeups: Pick<Wakeups, 'on'>
  ids: Ids
  publicUrl: string
  chainId: number
  /** Lifetime of a token in days. Tokens cannot be refreshed. */
  days: number
  /** Days after which a new key signs tokens. */
  keyDays: number
}

/** Authenticates users: sessions, sign-in texts signed by a wallet (EIP-4361), and JWTs (specification, Authentication). */
export const createIdentity = async ({ publicUrl, chainId, days, keyDays, ...reach }: Reach) => {
  const { store, clock } = reach
  const lifeMs = days * dayMs
  const codes = await createCodes(reach)
  const ring = createKeyRing({ ...reach, keyMs: keyDays * dayMs, lifeMs })
  const tokens = createTokens({ ...reach, publicUrl, ring, lifeMs })
  const spend = createSpending({ store, revokeAll: tokens.revokeAll })
  const { claim, ...sessions } = createSessions({ codes, spend, tokens, store, publicUrl, chainId })

  const access = {
    claim,
    ...createProofs({ codes, spend, clock, publicUrl }),
    issueForADay: (wallet: Address) => tokens.issue(wallet, dayMs),
    revokeOne: tokens.revokeOne,
    revokeAll: async (wallet: Address) => {
      await store.dropClaims(wallet)
      await tokens.revokeAll(wallet)
    },
    publicKeys: ring.published,
    sign: (statement: JsonObject, type?: 'JOSE') => signStatement(ring, publicUrl, { statement, type }),
    codeFor: codes.codeFor,
    keyFor: codes.keyFor,
    endOfCode: codes.endOfCode,
    pack: codes.pack,
    unpack: codes.unpack,
    issueToProgram: tokens.issueToProgram,
    revokeGrant: tokens.revokeGrant,
    wereRevoked: tokens.wereRevoked,
  }
  const { verify, grantOf, asksOnly, limitToAsking } = tokens
  return { identity: { ...sessions, verify, grantOf, asksOnly, limitToAsking }, access }
}
