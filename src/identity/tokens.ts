import { createHash } from 'node:crypto'
import { decodeProtectedHeader, errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { type Address, address } from '../domain/hex.ts'
import { Problem } from '../domain/problem.ts'
import type { Clock, Ids, Tables, Wakeups } from '../ports.ts'
import { algorithm, type KeyRing } from './keyRing.ts'
import { createRevocations, toSubject } from './revocations.ts'

const issuer = 'agent-marketplace'
const verifiedAtOnce = 10_000
const leewaySeconds = 60
const longestChars = 4096

const header = z.strictObject({ alg: z.literal(algorithm), typ: z.literal('JWT'), kid: z.string().regex(/^[0-9a-f]{16}$/) })
const claims = z.strictObject({
  iss: z.literal(issuer),
  aud: z.literal(issuer),
  // Only the form that is issued: user:0x and lower case (specification, Authentication).
  sub: z.string().regex(/^user:0x[0-9a-f]{40}$/),
  jti: z.string().min(1),
  iat: z.number().int(),
  exp: z.number().int(),
})
type Verified = { wallet: Address; jti: string; iat: number; until: number }

type Reach = {
  ring: KeyRing
  store: Pick<Tables, 'revoke' | 'revocation' | 'revocationsSince'>
  clock: Clock
  wakeups: Pick<Wakeups, 'on'>
  ids: Ids
  lifeMs: number
}

/**
 * Tokens (RFC 7519) with a fixed issuer, audience and algorithm, signed by a key of our own list. The payload is ASCII without
 * `>`, `?` and `~`, so that base64url equals base64, which some clients decode with.
 */
export const createTokens = ({ ring, store, clock, wakeups, ids, lifeMs }: Reach) => {
  const verified = new Map<string, Verified>()
  const revocations = createRevocations({ store, clock, wakeups })
  const revoke = (of: Parameters<typeof toSubject>[0]) => revocations.revoke(of, clock.now() + lifeMs + leewaySeconds * 2_000)

  const read = async (token: string): Promise<Verified> => {
    const fingerprint = createHash('sha256').update(token).digest('base64')
    const known = verified.get(fingerprint)
    if (known && known.until > clock.now()) return known
    const fresh = await check(token, { ring, clock, lifeMs })
    dropOldest(verified, verifiedAtOnce)
    verified.set(fingerprint, fresh)
    return fresh
  }

  return {
    /** Issues a token for a wallet. `forMs` shortens its lifetime. */
    issue: async (wallet: Address, forMs = lifeMs) => {
      const { kid, privateKey } = await ring.signer()
      const revoked = await store.revocation(toSubject({ wallet }))
      // Times are whole seconds. After a revocation in the same second the token gets the next second, or it would be revoked
      // too.
      const iat = Math.max(Math.floor(clock.now() / 1000), (revoked?.before ?? 0) + 1)
      const expiresAt = clock.now() + Math.min(forMs, lifeMs)
      const token = await new SignJWT()
        .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid })
        .setIssuer(issuer)
        .setAudience(issuer)
        .setSubject(`user:${wallet}`)
        .setJti(ids.fresh('token'))
        .setIssuedAt(iat)
        .setExpirationTime(Math.floor(expiresAt / 1000))
        .sign(privateKey)
      return { token, expiresAt }
    },

    /** @throws Problem invalid-token, token-expired */
    verify: async (token: string): Promise<Address> => {
      const it = await read(token)
      if (await revocations.isRevoked(it)) throw new Problem('invalid-token', 'The token was revoked.')
      return it.wallet
    },

    asksOnly: async (token: string) => revocations.has({ yesOf: (await read(token)).jti }),
    limitToAsking: async (token: string) => {
      const { jti } = await read(token)
      if (!(await revocations.has({ yesOf: jti }))) await revoke({ yesOf: jti })
    },

    revokeOne: async (token: string) => revoke({ jti: (await read(token)).jti }),
    revokeAll: (wallet: Address) => revoke({ wallet }),
  }
}

const check = async (token: string, { ring, clock, lifeMs }: Pick<Reach, 'ring' | 'clock' | 'lifeMs'>): Promise<Verified> => {
  if (token.length > longestChars) throw new Problem('invalid-token')
  const key = await ring.find(headerOf(token).kid)
  if (!key) throw new Problem('invalid-token')
  const options = {
    algorithms: [algorithm],
    typ: 'JWT',
    clockTolerance: leewaySeconds,
    currentDate: new Date(clock.now()),
    // Also refuses an issue time in the future.
    maxTokenAge: Math.ceil(lifeMs / 1000) + leewaySeconds,
  }
  const { payload } = await jwtVerify(token, key, options).catch(refuse)
  const parsed = claims.safeParse(payload)
  // The payload must be exactly as issued. A duplicate member would change its text.
  if (!parsed.success || JSON.stringify(payload) !== textOf(token.split('.')[1])) throw new Problem('invalid-token')
  const { sub, jti, iat, exp } = parsed.data
  return { wallet: address.parse(sub.slice('user:'.length)), jti, iat, until: exp * 1000 }
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
