import {
  hashMessage,
  hashTypedData,
  keccak256,
  numberToHex,
  parseSignature,
  recoverAddress,
  type Signature,
  serializeSignature,
  serializeTransaction,
} from 'viem'
import { publicKeyToAddress, toAccount } from 'viem/accounts'
import { type Hex, hex } from '../../../domain/hex.ts'
import type { KeyAccount } from '../recording.ts'
import type { Kms } from './client.ts'

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
/** Length of an uncompressed point: the byte 4, then x and y. */
const pointBytes = 65

/**
 * The address of a KMS key.
 * @throws Error when its public key is not a point of secp256k1
 */
export const addressOf = async (kms: Kms, keyId: string): Promise<Hex> => {
  const der = await kms.publicKey(keyId)
  const point = der.subarray(-pointBytes)
  if (point.length !== pointBytes || point[0] !== 4) throw new Error(`The key ${keyId} of the KMS is not a secp256k1 key`)
  return publicKeyToAddress(`0x${point.toString('hex')}`)
}

export const createKmsAccount = async (kms: Kms, keyId: string): Promise<KeyAccount> => {
  const address = await addressOf(kms, keyId)
  const sign = async (digest: Hex) => toSignature(await kms.sign(keyId, digest), { digest, address })
  return toAccount({
    address,
    sign: async ({ hash }) => serializeSignature(await sign(hash)),
    signMessage: async ({ message }) => serializeSignature(await sign(hashMessage(message))),
    signTypedData: async definition => serializeSignature(await sign(hashTypedData(definition))),
    signTransaction: async transaction =>
      serializeTransaction(transaction, await sign(keccak256(serializeTransaction(transaction)))),
  })
}

type Signed = { digest: Hex; address: Hex }

/** Chains accept only the lower s of the two equivalent signatures (EIP-2). The parity is found by recovering the address. */
const toSignature = async (der: Buffer, { digest, address }: Signed): Promise<Signature> => {
  const { r, s: given } = readDer(der)
  const s = given > order / 2n ? order - given : given
  for (const yParity of [0, 1]) {
    const text = serializeSignature({ r: toWord(r), s: toWord(s), yParity })
    if ((await recoverAddress({ hash: digest, signature: text })) === address) return parseSignature(text)
  }
  throw new Error('the signature of the KMS was not made with the requested key')
}

const toWord = (value: bigint) => numberToHex(value, { size: 32 })

/**
 * Decodes Ecdsa-Sig-Value, a SEQUENCE of two INTEGERs (RFC 3279, 2.2.3). Values of this curve never need the long length form.
 */
const readDer = (der: Buffer): { r: bigint; s: bigint } => {
  const rLength = der[3] ?? 0
  const sAt = 4 + rLength
  const sLength = der[sAt + 1] ?? 0
  const isSequence = der[0] === 0x30 && der[1] === der.length - 2
  if (!isSequence || der[2] !== 2 || der[sAt] !== 2 || sAt + 2 + sLength !== der.length)
    throw new Error('the KMS returned an invalid signature')
  return { r: toNumber(der.subarray(4, sAt)), s: toNumber(der.subarray(sAt + 2)) }
}

const toNumber = (bytes: Buffer) => BigInt(hex.parse(`0x${bytes.toString('hex')}`))
