import { createHash } from 'node:crypto'
import { decodeProtectedHeader, errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { type Grant, readScopes } from '../domain/access/scopes.ts'
import { type Address, address } from '../domain/hex.ts'
import { Problem } from '../domain/problem.ts'
import type { Clock, Ids, Tables, Wakeups } from '../ports.ts'
import { algorithm, type KeyRing } from './keyRing.ts'
import { createRevocations, toSubject } from './revocations.ts'

const issuer = 'agent-marketplace'
const verifiedAtOnce = 10_000
const leewaySeconds = 60
const longestChars = 4096

/** The type of a program's token (RFC 9068, section 2.1). */
const ofProgram = 'at+jwt'
const header = z.strictObject({
  alg: z.literal(algorithm),
  typ: z.enum(['JWT', ofProgram]),
  kid: z.string().regex(/^[0-9a-f]{16}$/),
})
const everyToken = {
  // Only the form that is issued: user:0x and lower case (specification, Authentication).
  sub: z.string().regex(/^user:0x[0-9a-f]{40}$/),
  jti: z.string().min(1),
  iat: z.number().int(),
  exp: z.number().int(),
}
const claims = z.strictObject({ ...everyToken, iss: z.literal(issuer), aud: z.literal(issuer) })
const programClaims = z.strictObject({
  ...everyToken,
  iss: z.string(),
  aud: z.string(),
  client_id: z.string(),
  scope: z.string(),
  grant: z.string().min(1),
})
type Verified = { wallet: Address; jti: string; iat: number; until: number; grant: Grant | undefined }

type Reach = {
  ring: KeyRing
  store: Pick<Tables, 'revoke' | 'revocation' | 'revocationsSince'>
  clock: Clock
  wakeups: Pick<Wakeups, 'on'>
  ids: Ids
  lifeMs: number
  /** The issuer of the tokens of programs (RFC 8414). */
  publicUrl: string
}

type Signing = Pick<Reach, 'ring' | 'store' | 'clock' | 'ids' | 'lifeMs' | 'publicUrl'>
type Wanted = { wallet: Address; forMs: number; grant?: Grant }

const signToken = async ({ ring, store, clock, ids, lifeMs, publicUrl }: Signing, { wallet, forMs, grant }: Wanted) => {
  const { kid, privateKey } = await ring.signer()
  const revoked = await store.revocation(toSubject({ wallet }))
  // Times are whole seconds. After a revocation in the same second the token gets the next second, or it would be revoked
  // too.
  const iat = Math.max(Math.floor(clock.now() / 1000), (revoked?.before ?? 0) + 1)
  const expiresAt = clock.now() + Math.min(forMs, lifeMs)
  const more = grant && { client_id: grant.clientId, scope: grant.scopes.join(' '), grant: grant.id }
  const token = await new SignJWT({ ...more })
    .setProtectedHeader({ alg: algorithm, typ: grant ? ofProgram : 'JWT', kid })
    .setIssuer(grant ? publicUrl : issuer)
    .setAudience(grant ? grant.resource : issuer)
    .setSubject(`user:${wallet}`)
    .setJti(ids.fresh('token'))
    .setIssuedAt(iat)
    .setExpirationTime(Math.floor(expiresAt / 1000))
    .sign(privateKey)
  return { token, expiresAt }
}

/**
 * Tokens (RFC 7519) with a fixed issuer, audience and algorithm, signed by a key of our own list. The payload is ASCII without
 * `>`, `?` and `~`, so that base64url equals base64, which some clients decode with.
 */
export const createTokens = (reach: Reach) => {
  const { store, clock, wakeups, lifeMs } = reach
  const verified = new Map<string, Verified>()
  const revocations = createRevocations({ store, clock, wakeups })
  const revoke = (of: Parameters<typeof toSubject>[0]) => revocations.revoke(of, clock.now() + lifeMs + leewaySeconds * 2_000)

  const read = async (token: string): Promise<Verified> => {
    const fingerprint = createHash('sha256').update(token).digest('base64')
    const known = verified.get(fingerprint)
    if (known && known.until > clock.now()) return known
    const fresh = await check(token, reach)
    dropOldest(verified, verifiedAtOnce)
    verified.set(fingerprint, fresh)
    return fresh
  }

  return {
    /** Issues a token for a wallet. `forMs` shortens its lifetime. */
    issue: (wallet: Address, forMs = lifeMs) => signToken(reach, { wallet, forMs }),
    /** Issues a token with which a program acts for a wallet within a grant. */
    issueToProgram: (wallet: Address, grant: Grant, forMs: number) => signToken(reach, { wallet, forMs, grant }),

    /** @throws Problem invalid-token, token-expired */
    verify: async (token: string): Promise<Address> => {
      const it = await read(token)
      if (await revocations.isRevoked(it)) throw new Problem('invalid-token', 'The token was revoked.')
      return it.wallet
    },

    /** What a program may do with its token; undefined for the token of a person. */
    grantOf: async (token: string) => (await read(token)).grant,
    revokeGrant: (grant: string) => revoke({ grant }),
    /** Whether all tokens of a wallet were revoked at `since` (epoch ms) or later. */
    wereRevoked: async (wallet: Address, since: number) => {
      const revoked = await store.revocation(toSubject({ wallet }))
      return revoked !== undefined && (revoked.before + 1) * 1000 > since
    },

    asksOnly: async (token: string) => {
      const { jti, grant } = await read(token)
      return grant !== undefined || revocations.has({ yesOf: jti })
    },
    limitToAsking: async (token: string) => {
      const { jti } = await read(token)
      if (!(await revocations.has({ yesOf: jti }))) await revoke({ yesOf: jti })
    },

    revokeOne: async (token: string) => revoke({ jti: (await read(token)).jti }),
    revokeAll: (wallet: Address) => revoke({ wallet }),
  }
}

type Checking = Pick<Reach, 'ring' | 'clock' | 'lifeMs' | 'publicUrl'>
const check = async (token: string, { ring, clock, lifeMs, publicUrl }: Checking): Promise<Verified> => {
  if (token.length > longestChars) throw new Problem('invalid-token')
  const { kid, typ } = headerOf(token)
  const key = await ring.find(kid)
  if (!key) throw new Problem('invalid-token')
  const options = {
    algorithms: [algorithm],
    typ,
    clockTolerance: leewaySeconds,
    currentDate: new Date(clock.now()),
    // Also refuses an issue time in the future.
    maxTokenAge: Math.ceil(lifeMs / 1000) + leewaySeconds,
  }
  const { payload } = await jwtVerify(token, key, options).catch(refuse)
  // The payload must be exactly as issued. A duplicate member would change its text.
  if (JSON.stringify(payload) !== textOf(token.split('.')[1])) throw new Problem('invalid-token')
  const read = typ === ofProgram ? readProgram(payload, publicUrl) : readPerson(payload)
  if (!read) throw new Problem('invalid-token')
  const { sub, jti, iat, exp } = read.claims
  return { wallet: address.parse(sub.slice('user:'.length)), jti, iat, until: exp * 1000, grant: read.grant }
}

const readPerson = (payload: unknown) => {
  const { data } = claims.safeParse(payload)
  return data && { claims: data, grant: undefined }
}

const readProgram = (payload: unknown, publicUrl: string) => {
  const { data } = programClaims.safeParse(payload)
  if (!data || data.iss !== publicUrl || !URL.canParse(data.aud)) return undefined
  const grant = { id: data.grant, clientId: data.client_id, scopes: readScopes(data.scope), resource: data.aud }
  return { claims: data, grant }
}

const textOf = (part = '') => Buffer.from(part, 'base64url').toString('utf8')

/** No other header members are allowed, so keys inside a token are never read. */
const headerOf = (token: string) => {
  try {
    return header.parse(decodeProtectedHeader(token))
  } catch {
    throw new Problem('invalid-token')
  }
}

const refuse = (error: unknown): never => {
  throw new Problem(error instanceof joseErrors.JWTExpired && error.claim === 'exp' ? 'token-expired' : 'invalid-token')
}

/** A Map keeps insertion order, so the first key is the oldest. */
const dropOldest = (map: Map<string, unknown>, atMost: number) => {
  const [oldest] = map.keys()
  if (map.size >= atMost && oldest !== undefined) map.delete(oldest)
}
