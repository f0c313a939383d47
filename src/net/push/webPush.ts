import { createECDH } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import { hourMs, secondMs } from '../../domain/durations.ts'
import type { Clock, Sealer, Tables, WebPush } from '../../ports.ts'
import { createCall, type DialerDeps } from '../dialer.ts'
import { readStatus } from './answers.ts'
import { encryptPush, isPushKeys } from './encrypt.ts'

const secretName = 'web-push'
const timeoutMs = 10 * secondMs
/** How long a signature is valid; push services refuse more than a day (RFC 8292, section 2). */
const signedMs = 12 * hourMs
/** How long the push service keeps a message for a browser that is away. */
const keptSeconds = 24 * 60 * 60

type PushDeps = DialerDeps & {
  store: Pick<Tables, 'secret' | 'addSecret'>
  sealer: Sealer
  clock: Clock
  /** Named to push services as the contact of this service, if it is an https address. */
  publicUrl: string
}
type Signing = { publicKey: string; sign(endpoint: URL): Promise<string> }

/** Sends pushes to browsers. The address of each is a stranger's, so it is called by the guarded client. */
export const createWebPush = (deps: PushDeps): WebPush => {
  const call = createCall({ timeoutMs, ...deps })
  let made: Promise<Signing> | undefined
  const signing = () => {
    made ??= openSigning(deps).catch(error => {
      made = undefined
      throw error
    })
    return made
  }
  return {
    publicKey: async () => (await signing()).publicKey,
    async send(to, text, topic) {
      if (!isPushKeys(to)) return 'gone'
      const url = new URL(to.endpoint)
      const headers = {
        'content-type': 'application/octet-stream',
        'content-encoding': 'aes128gcm',
        authorization: await (await signing()).sign(url),
        ttl: String(keptSeconds),
        urgency: 'normal',
        topic,
      }
      return call({ url, body: encryptPush(Buffer.from(text), to), headers }, undefined, readStatus).catch(error =>
        error?.type === 'agent-unreachable' ? 'later' : Promise.reject(error),
      )
    },
  }
}

/** Reads the key pair of this service, and makes it at the first time. Of several processes the first one's is kept. */
const openSigning = async ({ store, sealer, clock, publicUrl }: PushDeps): Promise<Signing> => {
  const fresh = createECDH('prime256v1')
  fresh.generateKeys()
  const sealed =
    (await store.secret(secretName)) ??
    (await store.addSecret(secretName, sealer.seal(fresh.getPrivateKey('hex').padStart(64, '0'), secretName)))
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(sealer.open(sealed, secretName), 'hex')
  const point = pair.getPublicKey()
  const jwk = { kty: 'EC', crv: 'P-256', x: text(point.subarray(1, 33)), y: text(point.subarray(33)) }
  const key = await importJWK({ ...jwk, d: text(Buffer.from(sealer.open(sealed, secretName), 'hex')) }, 'ES256')
  const publicKey = text(point)
  const contact = publicUrl.startsWith('https:') ? { sub: publicUrl } : {}
  return {
    publicKey,
    sign: async ({ origin }) => {
      const until = Math.floor((clock.now() + signedMs) / secondMs)
      const token = await new SignJWT({ aud: origin, exp: until, ...contact })
        .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
        .sign(key)
      return `vapid t=${token}, k=${publicKey}`
    },
  }
}

const text = (bytes: Buffer): string => bytes.toString('base64url')
