import { exportJWK, generateKeyPair, importJWK } from 'jose'
import { z } from 'zod'
import { canonical, parseJson, sha256 } from '../domain/json.ts'
import { everyChannel, tokenKeyChannel } from '../domain/net/channels.ts'
import type { Clock, Sealer, Tables, TokenKey, Wakeups } from '../ports.ts'
import { createSharedRead } from './sharedRead.ts'

/** The only algorithm of this deployment (RFC 8725, 3.1). */
export const algorithm = 'ES256'
/** An unknown key id causes at most one read in this time, in ms. */
const rereadMs = 5_000
const jwkText = z.record(z.string(), z.string())

export type KeyRing = ReturnType<typeof createKeyRing>

type Reach = {
  store: Pick<Tables, 'tokenKeys' | 'addTokenKey'>
  sealer: Sealer
  clock: Clock
  wakeups: Pick<Wakeups, 'on'>
  /** A key older than this, in ms, no longer signs. */
  keyMs: number
  /** Lifetime of a token in ms: a key still verifies for this time after it stopped signing. */
  lifeMs: number
}

/** The keys that sign tokens, sealed at rest. When the newest is too old, a new one is created; older ones still verify. */
export const createKeyRing = ({ store, sealer, clock, wakeups, keyMs, lifeMs }: Reach) => {
  let known: TokenKey[] = []
  let readAt = Number.NEGATIVE_INFINITY
  wakeups.on(channel => {
    if (channel === tokenKeyChannel || channel === everyChannel) readAt = Number.NEGATIVE_INFINITY
  })
  const read = async () => {
    readAt = clock.now()
    known = await store.tokenKeys()
  }
  const { refresh, isUnderWay } = createSharedRead(read)
  const newest = () => known.find(it => clock.now() - it.madeAt < keyMs)
  /** The newest key, and those whose tokens may still be valid. */
  const living = () => known.filter((_, at) => at === 0 || clock.now() - (known[at - 1]?.madeAt ?? 0) < lifeMs)

  const makeNext = async () => {
    await read()
    if (newest()) return
    const number = (known[0]?.number ?? 0) + 1
    await store.addTokenKey(await freshKey(number, sealer))
    await read()
  }

  return {
    signer: async () => {
      if (!newest()) await makeNext()
      const key = newest()
      if (!key) throw new Error('There is no key to sign tokens with.')
      const jwk = jwkText.parse(parseJson(sealer.open(key.sealed, nameOf(key.number))))
      return { kid: key.kid, privateKey: await importJWK(jwk, algorithm) }
    },
    /** A public key by its id, only from our own list; undefined when it is not there. */
    find: async (kid: string) => {
      const isKnown = () => living().find(it => it.kid === kid)
      if (!isKnown() && (isUnderWay() || clock.now() - readAt > rereadMs)) await refresh()
      const key = isKnown()
      return key && importJWK(key.publicJwk, algorithm)
    },
    /** The public keys as a JWK set (RFC 7517). */
    published: async () => {
      if (!newest()) await makeNext()
      return living().map(({ kid, publicJwk: { kty = '', crv = '', x = '', y = '' } }) => ({
        kty,
        crv,
        x,
        y,
        kid,
        alg: algorithm,
        use: 'sig',
      }))
    },
  }
}

const nameOf = (number: number) => `token-key:${number}`

const freshKey = async (number: number, sealer: Sealer) => {
  const pair = await generateKeyPair(algorithm, { extractable: true })
  const publicJwk = jwkText.parse(await exportJWK(pair.publicKey))
  const sealed = sealer.seal(JSON.stringify(await exportJWK(pair.privateKey)), nameOf(number))
  return { number, kid: sha256(canonical(publicJwk)).slice(0, 16), publicJwk, sealed }
}
