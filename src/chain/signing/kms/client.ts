import { AwsClient } from 'aws4fetch'
import { z } from 'zod'
import type { Hex } from '../../../domain/hex.ts'
import { parseJson } from '../../../domain/json.ts'

export type KmsOptions = {
  /** Base URL of the service; default: that of the region. */
  endpoint?: string | undefined
  region: string
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined }
}

/** secp256k1 keys in a cloud KMS. The private keys never leave it. */
export type Kms = {
  createKey(description: string): Promise<string>
  /** The public key as DER (SubjectPublicKeyInfo). */
  publicKey(keyId: string): Promise<Buffer>
  /** Signs a 32-byte hash. The signature is DER (Ecdsa-Sig-Value). */
  sign(keyId: string, digest: Hex): Promise<Buffer>
}

const timeoutMs = 10_000

const created = z.object({ KeyMetadata: z.object({ KeyId: z.string() }) })
const bytes = z.string().transform(text => Buffer.from(text, 'base64'))
const published = z.object({ PublicKey: bytes, KeySpec: z.literal('ECC_SECG_P256K1').optional() })
const signed = z.object({ Signature: bytes })
const refusal = z.object({ __type: z.string(), message: z.string().optional(), Message: z.string().optional() })

/**
 * AWS KMS over its HTTP interface (JSON 1.1, Signature Version 4).
 * @throws Error with the service's own message
 * @see https://docs.aws.amazon.com/kms/latest/APIReference/
 */
export const createKms = ({ endpoint, region, credentials }: KmsOptions): Kms => {
  const url = new URL(endpoint ?? `https://kms.${region}.amazonaws.com/`)
  const { accessKeyId, secretAccessKey, sessionToken } = credentials
  const client = new AwsClient({ accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }), region, service: 'kms' })

  const ask = async <T>(action: string, input: Record<string, string>, answer: z.ZodType<T>): Promise<T> => {
    const body = JSON.stringify(input)
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `TrentService.${action}` }
    const request = await client.sign(url, { method: 'POST', headers, body })
    const response = await fetch(request, { signal: AbortSignal.timeout(timeoutMs) })
    const said = parseJson(await response.text())
    if (!response.ok) throw new Error(`The KMS refused ${action}: ${toReason(said) ?? `status ${response.status}`}`)
    return answer.parse(said)
  }

  return {
    createKey: async Description =>
      (await ask('CreateKey', { KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY', Description }, created)).KeyMetadata.KeyId,
    publicKey: async KeyId => (await ask('GetPublicKey', { KeyId }, published)).PublicKey,
    async sign(KeyId, digest) {
      const Message = Buffer.from(digest.slice(2), 'hex').toString('base64')
      return (await ask('Sign', { KeyId, Message, MessageType: 'DIGEST', SigningAlgorithm: 'ECDSA_SHA_256' }, signed)).Signature
    },
  }
}

const toReason = (said: unknown) => {
  const { data } = refusal.safeParse(said)
  return data && [data.__type, data.message ?? data.Message].filter(Boolean).join(': ')
}
