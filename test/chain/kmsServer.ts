import { createHash, createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseSignature } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import type { Hex } from '../../src/domain/hex.ts'

export const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
export const region = 'eu-central-1'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/** The DER bytes before the point of a secp256k1 public key (RFC 5480). */
const spkiPrefix = '3056301006072a8648ce3d020106052b8104000a034200'

const input = z.object({ KeyId: z.string().default(''), Message: z.string().default(''), KeySpec: z.string().optional() })

/**
 * A key management service with secp256k1 keys that verifies its requests. Every other signature has a high s, as with real
 * services.
 */
export const startKms = async () => {
  const keys = new Map<string, PrivateKeyAccount>()
  const asked: string[] = []
  let signatures = 0

  const createKey = () => {
    const id = randomUUID()
    keys.set(id, privateKeyToAccount(generatePrivateKey()))
    return id
  }
  const actions: Record<string, (key: PrivateKeyAccount | undefined, of: z.infer<typeof input>) => Promise<unknown>> = {
    CreateKey: async (_, { KeySpec }) => KeySpec === 'ECC_SECG_P256K1' && { KeyMetadata: { KeyId: createKey() } },
    GetPublicKey: async key =>
      key && {
        PublicKey: Buffer.from(spkiPrefix + key.publicKey.slice(2), 'hex').toString('base64'),
        KeySpec: 'ECC_SECG_P256K1',
      },
    Sign: async (key, { Message }) => {
      const hash: Hex = `0x${Buffer.from(Message, 'base64').toString('hex')}`
      if (!key || hash.length !== 66) return undefined
      const { r, s } = parseSignature(await key.sign({ hash }))
      signatures += 1
      return { Signature: toDer(BigInt(r), signatures % 2 ? order - BigInt(s) : BigInt(s)) }
    },
  }

  const answer = async (request: IncomingMessage, body: string) => {
    const action = String(request.headers['x-amz-target']).replace('TrentService.', '')
    asked.push(action)
    if (!isSigned(request, body)) return refuse('InvalidSignatureException', 'The request signature does not match.')
    const of = input.parse(JSON.parse(body))
    const said = await actions[action]?.(keys.get(of.KeyId), of)
    return said ? { status: 200, said } : refuse('NotFoundException', 'Invalid keyId')
  }

  const server = createServer(async (request, response) => {
    let body = ''
    for await (const part of request) body += part
    const { status, said } = await answer(request, body)
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(said))
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}/`,
    keys,
    asked,
    createKey,
    stop: () => new Promise<unknown>(closed => server.close(closed)),
  }
}

const refuse = (type: string, message: string) => ({ status: 400, said: { __type: type, message } })

const toInteger = (value: bigint) => {
  const digits = value.toString(16)
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  const signed = (bytes[0] ?? 0) > 127 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes
  return Buffer.concat([Buffer.from([2, signed.length]), signed])
}
const toDer = (r: bigint, s: bigint) => {
  const body = Buffer.concat([toInteger(r), toInteger(s)])
  return Buffer.concat([Buffer.from([0x30, body.length]), body]).toString('base64')
}

/** Recomputes the signature of a request from what arrived. */
const isSigned = ({ headers, url }: IncomingMessage, body: string): boolean => {
  const [, scope = '', names = '', signature] =
    /Credential=AKIDEXAMPLE\/(\S+), SignedHeaders=(\S+), Signature=(\w+)$/.exec(headers.authorization ?? '') ?? []
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')
  const lines = names.split(';').map(name => `${name}:${headers[name]}`)
  const canonical = ['POST', url, '', ...lines, '', names, hash(body)].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, hash(canonical)].join('\n')
  let key: string | Buffer = `AWS4${credentials.secretAccessKey}`
  for (const part of scope.split('/')) key = createHmac('sha256', key).update(part).digest()
  return scope.endsWith(`/${region}/kms/aws4_request`) && createHmac('sha256', key).update(toSign).digest('hex') === signature
}
