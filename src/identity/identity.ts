import { createHash } from 'node:crypto'
import { exportJWK, generateKeyPair, importJWK, errors as joseErrors, jwtVerify, SignJWT } from 'jose'
import { createSiweMessage } from 'viem/siwe'
import { getAddress } from 'viem/utils'
import { z } from 'zod'
import { type Address, toWallet } from '../domain/hex.ts'
import { parseJson } from '../domain/json.ts'
import { Problem } from '../domain/problem.ts'
import type { Clock, Ids, Sealer, Store } from '../ports.ts'

const issuer = 'agent-marketplace'
const algorithm = 'ES256'
const keyName = 'jwt-signing-key'
/** No client can refresh a token, so it lasts. */
const lifeMs = 30 * 24 * 60 * 60_000
const sessionMs = 10 * 60_000
const sessionsAtOnce = 10_000
const verifiedAtOnce = 10_000
const leewaySeconds = 60

type Reach = { store: Store; sealer: Sealer; clock: Clock; ids: Ids; publicUrl: string; chainId: number }

/** Proves who a person is: a session, an EIP-4361 text signed by their wallet, a JWT (specification, Authentication). */
export const createIdentity = async ({ store, sealer, clock, ids, publicUrl, chainId }: Reach) => {
  const sessions = new Map<string, number>()
  const verified = new Map<string, { wallet: Address; until: number }>()
  const { privateKey, publicKey } = await signingKey(store, sealer)

  const begin = async () => {
    dropOldest(sessions, sessionsAtOnce)
    const code = ids.fresh('auth').replace(/[^a-z0-9]/gi, '')
    sessions.set(code, clock.now())
    return { code }
  }

  const messageOf = async (code: string, wallet: Address) => {
    const begun = sessions.get(code)
    if (begun === undefined || clock.now() - begun > sessionMs)
      throw new Problem('not-found', 'This authorization session is unknown or over; begin a new one.')
    return createSiweMessage({
      domain: new URL(publicUrl).host,
      address: getAddress(wallet),
      statement: 'Let this marketplace act for this wallet: your butler hires agents only after your yes to each proposal.',
      uri: publicUrl,
      version: '1',
      chainId,
      nonce: code,
      issuedAt: new Date(begun),
    })
  }

  const approve = async ({ code, wallet, signer }: { code: string; wallet: Address; signer: Address | undefined }) => {
    if (signer !== wallet) throw new Problem('signature-mismatch')
    if (!sessions.delete(code)) throw new Problem('not-found')
    const expiresAt = clock.now() + lifeMs
    const token = await new SignJWT()
      .setProtectedHeader({ alg: algorithm, typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience(issuer)
      .setSubject(`user:${wallet}`)
      .setJti(ids.fresh('token'))
      .setIssuedAt(Math.floor(clock.now() / 1000))
      .setExpirationTime(Math.floor(expiresAt / 1000))
      .sign(privateKey)
    return { token, expiresAt }
  }

  const verify = async (token: string): Promise<Address> => {
    const fingerprint = createHash('sha256').update(token).digest('base64')
    const known = verified.get(fingerprint)
    if (known && known.until > clock.now()) return known.wallet
    const options = {
      algorithms: [algorithm],
      issuer,
      audience: issuer,
      typ: 'JWT',
      clockTolerance: leewaySeconds,
      currentDate: new Date(clock.now()),
    }
    const { payload } = await jwtVerify(token, publicKey, { ...options, requiredClaims: ['sub', 'exp'] }).catch(refuse)
    const wallet = payload.sub?.startsWith('user:') ? toWallet(payload.sub) : undefined
    if (!wallet) throw new Problem('invalid-token')
    dropOldest(verified, verifiedAtOnce)
    verified.set(fingerprint, { wallet, until: (payload.exp ?? 0) * 1000 })
    return wallet
  }

  return { begin, messageOf, approve, verify }
}

const refuse = (error: unknown): never => {
  throw new Problem(error instanceof joseErrors.JWTExpired ? 'token-expired' : 'invalid-token')
}

/** The key of this deployment, made at first start and sealed at rest. */
const signingKey = async (store: Store, sealer: Sealer) => {
  const stands = (await store.secret(keyName)) ?? (await store.addSecret(keyName, sealer.seal(await freshKey(), keyName)))
  const jwk = z.record(z.string(), z.string()).parse(parseJson(sealer.open(stands, keyName)))
  const { d: _private, ...open } = jwk
  return { privateKey: await importJWK(jwk, algorithm), publicKey: await importJWK(open, algorithm) }
}

const freshKey = async () => {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true })
  return JSON.stringify(await exportJWK(privateKey))
}

/** A Map keeps its order of insertion, so the first key is the oldest. */
const dropOldest = (map: Map<string, unknown>, atMost: number) => {
  const [oldest] = map.keys()
  if (map.size >= atMost && oldest !== undefined) map.delete(oldest)
}
