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
/** An uncompressed point: 4, x, y. */
const pointBytes = 65

/** The address of a key in the KMS. Throws when its public key is no point of secp256k1. */
export const addressOf = async (kms: Kms, keyId: string): Promise<Hex> => {
  const der = await kms.publicKey(keyId)
  const point = der.subarray(-pointBytes)
  if (point.length !== pointBytes || point[0] !== 4) throw new Error(`The key ${keyId} of the key service is no secp256k1 key`)
  return publicKeyToAddress(`0x${point.toString('hex')}`)
}

/** A key in the KMS as an account that signs. */
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

/** Of the two twins of a signature chains take the one with the lower s (EIP-2); which of two points it is, recovery says. */
const toSignature = async (der: Buffer, { digest, address }: Signed): Promise<Signature> => {
  const { r, s: given } = readDer(der)
  const s = given > order / 2n ? order - given : given
  for (const yParity of [0, 1]) {
    const text = serializeSignature({ r: toWord(r), s: toWord(s), yParity })
    if ((await recoverAddress({ hash: digest, signature: text })) === address) return parseSignature(text)
  }
  throw new Error('the signature of the key service is not of the key that was asked for')
}

const toWord = (value: bigint) => numberToHex(value, { size: 32 })

/** Ecdsa-Sig-Value: SEQUENCE of two INTEGERs (RFC 3279, 2.2.3). Numbers of this curve never need a long length. */
const readDer = (der: Buffer): { r: bigint; s: bigint } => {
  const rLength = der[3] ?? 0
  const sAt = 4 + rLength
  const sLength = der[sAt + 1] ?? 0
  const isSequence = der[0] === 0x30 && der[1] === der.length - 2
  if (!isSequence || der[2] !== 2 || der[sAt] !== 2 || sAt + 2 + sLength !== der.length)
    throw new Error('the key service answered with something that is no signature')
  return { r: toNumber(der.subarray(4, sAt)), s: toNumber(der.subarray(sAt + 2)) }
}

const toNumber = (bytes: Buffer) => BigInt(hex.parse(`0x${bytes.toString('hex')}`))
