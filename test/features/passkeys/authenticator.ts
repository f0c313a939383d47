import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { z } from 'zod'
import { post, send } from '../../http/wire.ts'

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()
const text = (it: string) => Buffer.concat([Buffer.from([0x60 + it.length]), Buffer.from(it)])
const toBase64 = (it: Buffer | string) => Buffer.from(it).toString('base64url')
const uint = (value: number, size: number) => {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntBE(value, 0, size)
  return bytes
}

// Flags of the authenticator data (WebAuthn level 3, section 6.1): present, verified, with a new credential.
const [verified, withKey] = [0x05, 0x45]

type Place = { origin: string; rpId: string }

/** A passkey in software, which answers as an authenticator does, so that each part of an answer can be made wrong. */
export const createPasskey = (place: Place) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(16)
  const key = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ])
  const dataOf = (flags: number, counter: number, rpId: string) =>
    Buffer.concat([sha256(rpId), Buffer.from([flags]), uint(counter, 4)])
  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const common = { id: toBase64(id), rawId: toBase64(id), type: 'public-key', clientExtensionResults: {} }
  return {
    id: toBase64(id),
    make: (challenge: string, { origin, rpId } = place) => {
      const data = Buffer.concat([dataOf(withKey, 0, rpId), Buffer.alloc(16), uint(id.length, 2), id, key])
      const attestation = Buffer.concat([
        ...[Buffer.from([0xa3]), text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData')],
        ...[Buffer.from([0x58, data.length]), data],
      ])
      const clientDataJSON = toBase64(clientData('webauthn.create', challenge, origin))
      return { ...common, response: { clientDataJSON, attestationObject: toBase64(attestation) } }
    },
    sign: (challenge: string, counter: number, { origin, rpId } = place) => {
      const data = dataOf(verified, counter, rpId)
      const client = clientData('webauthn.get', challenge, origin)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return {
        ...common,
        response: {
          clientDataJSON: toBase64(client),
          authenticatorData: toBase64(data),
          signature: toBase64(signature),
        },
      }
    },
  }
}
export type Passkey = ReturnType<typeof createPasskey>

const optioned = z.object({ options: z.looseObject({ challenge: z.string() }) })
export const entered = z.object({ token: z.string(), recovery_code: z.string().optional() })

/** A person with a passkey at a service, whose every answer may be made wrong. */
export const createPerson = (url: string) => {
  const origin = url.replace('127.0.0.1', 'localhost')
  const passkey = createPasskey({ origin, rpId: 'localhost' })
  const challenge = async (purpose: 'sign-up' | 'sign-in') =>
    optioned.parse((await post(url, '/v1/passkeys/options', { purpose })).json).options.challenge
  const call = (path: string, body: object, token?: string) => post(url, path, body, token)
  return {
    ...{ passkey, origin, challenge, call },
    signUp: async () =>
      entered.parse((await call('/v1/passkeys/sign-up', { answer: passkey.make(await challenge('sign-up')) })).json),
    signIn: async (counter: number) =>
      call('/v1/passkeys/sign-in', { answer: passkey.sign(await challenge('sign-in'), counter) }),
    /** The challenge with which a signed-in person adds a passkey. */
    adding: async (token: string, counter: number) =>
      optioned.parse((await agree(url, { path: '/v1/passkeys/adding', body: {}, token }, { passkey, counter })).json).options
        .challenge,
  }
}

const asked = z.object({ code: z.literal('passkey-needed'), passkey: z.object({ challenge: z.string() }) })
export type Request = { method?: string; path: string; body?: object; token: string; answer?: object; key?: string }

/** Sends a request of a person, with the answer of a passkey where there is one. */
export const request = (url: string, { method = 'POST', path, body, token, answer, key }: Request) =>
  send(url, {
    method,
    path,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(answer && { 'passkey-answer': toBase64(JSON.stringify(answer)) }),
      ...(key && { 'idempotency-key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })

/** The challenge with which a request is refused that needs a passkey. */
export const challengeOf = async (url: string, it: Request): Promise<string> =>
  asked.parse((await request(url, it)).json).passkey.challenge

/** Sends a request, lets the passkey agree to it, and sends it again. */
export const agree = async (url: string, it: Request, { passkey, counter }: { passkey: Passkey; counter: number }) =>
  request(url, { ...it, answer: passkey.sign(await challengeOf(url, it), counter) })
