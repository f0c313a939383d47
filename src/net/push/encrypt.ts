import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import type { PushAddress } from '../../ports.ts'

const curve = 'prime256v1'
const saltBytes = 16
const tagBytes = 16
/** A body of one record (RFC 8188, section 2). Push services take at most 4,096 bytes. */
const recordBytes = 4_096
/** Ends the last record, so that it cannot be cut without being noticed. */
const lastRecord = Buffer.from([2])

type Fresh = { salt: Buffer; privateKey?: Buffer }

const derive = (of: { key: Buffer; salt: Buffer; info: Buffer; bytes: number }): Buffer =>
  Buffer.from(hkdfSync('sha256', of.key, of.salt, of.info, of.bytes))

/**
 * Encrypts a message for a browser (RFC 8291, content coding `aes128gcm` of RFC 8188). Its push service cannot read it.
 * @param fresh salt and key of this message alone; given only by the test with the example of the RFC
 * @throws RangeError when the message does not fit into one record
 */
export const encryptPush = (
  plain: Buffer,
  { p256dh, auth }: Omit<PushAddress, 'endpoint'>,
  { salt, privateKey }: Fresh = { salt: randomBytes(saltBytes) },
): Buffer => {
  const browserKey = Buffer.from(p256dh, 'base64url')
  const pair = createECDH(curve)
  if (privateKey) pair.setPrivateKey(privateKey)
  else pair.generateKeys()
  const ownKey = pair.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browserKey, ownKey])
  const key = derive({ key: pair.computeSecret(browserKey), salt: Buffer.from(auth, 'base64url'), info, bytes: 32 })
  const contentKey = derive({ key, salt, info: Buffer.from('Content-Encoding: aes128gcm\0'), bytes: 16 })
  const nonce = derive({ key, salt, info: Buffer.from('Content-Encoding: nonce\0'), bytes: 12 })
  const cipher = createCipheriv('aes-128-gcm', contentKey, nonce)
  const sealed = Buffer.concat([cipher.update(plain), cipher.update(lastRecord), cipher.final(), cipher.getAuthTag()])
  const head = Buffer.alloc(saltBytes + 5)
  salt.copy(head)
  head.writeUInt32BE(recordBytes, saltBytes)
  head.writeUInt8(ownKey.length, saltBytes + 4)
  const body = Buffer.concat([head, ownKey, sealed])
  if (body.length > recordBytes - tagBytes) throw new RangeError(`a push of ${body.length} bytes`)
  return body
}

/** Whether these are keys of a browser: a point of the curve P-256 and 16 secret bytes. */
export const isPushKeys = ({ p256dh, auth }: Omit<PushAddress, 'endpoint'>): boolean => {
  const pair = createECDH(curve)
  pair.generateKeys()
  try {
    pair.computeSecret(Buffer.from(p256dh, 'base64url'))
  } catch {
    return false
  }
  return Buffer.from(p256dh, 'base64url').length === 65 && Buffer.from(auth, 'base64url').length === 16
}
