import { dayMs } from '../domain/durations.ts'
import type { Address } from '../domain/hex.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Clock, Ids, Sealer, Store, Wakeups } from '../ports.ts'
import { createCodes } from './codes.ts'
import { createKeyRing } from './keyRing.ts'
import { createProofs } from './proofs.ts'
import { createSessions } from './sessions.ts'
import { createSpending } from './spending.ts'
import { signStatement } from './statements.ts'
import { createTokens } from './tokens.ts'

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
