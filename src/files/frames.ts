import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { ByteRange } from '../domain/files/byteRange.ts'
import { free } from '../domain/files/free.ts'

const algorithm = 'aes-256-gcm'
const tagBytes = 16
/** Plain bytes of a frame. A part of a file is read in whole frames. */
const plainBytes = 64 * 1_024
const frameBytes = plainBytes + tagBytes

/**
 * The nonce of a frame: its number, and whether it is the last. Each file has a key of its own, so no nonce repeats, and frames
 * cannot be moved, dropped or cut off unnoticed.
 */
const nonceOf = (number: number, isLast: boolean): Buffer => {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 4, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

const seal = (key: Uint8Array, plain: Uint8Array, { number, isLast }: { number: number; isLast: boolean }): Buffer => {
  const cipher = createCipheriv(algorithm, key, nonceOf(number, isLast), { authTagLength: tagBytes })
  const sealed = cipher.update(plain)
  cipher.final()
  const frame = Buffer.concat([sealed, cipher.getAuthTag()])
  free(sealed)
  return frame
}

const unseal = (key: Uint8Array, frame: Uint8Array, { number, isLast }: { number: number; isLast: boolean }): Buffer => {
  const end = frame.length - tagBytes
  const decipher = createDecipheriv(algorithm, key, nonceOf(number, isLast), { authTagLength: tagBytes })
  decipher.setAuthTag(frame.subarray(end))
  const plain = decipher.update(frame.subarray(0, end))
  // Throws where a byte was changed.
  decipher.final()
  return plain
}

/**
 * Cuts a stream into pieces of one size. The last one may be shorter, and is empty for an empty stream. All pieces lie in the same
 * memory, one after the other: buffers that are thrown away make the collector go through the whole heap again and again.
 */
async function* cut(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<{ piece: Uint8Array; isLast: boolean }> {
  const piece = Buffer.allocUnsafeSlow(size)
  let length = 0
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) {
      // A full piece waits until more bytes come, because it may be the last.
      if (length === size) {
        yield { piece, isLast: false }
        length = 0
      }
      const part = chunk.subarray(at, at + size - length)
      piece.set(part, length)
      length += part.length
      at += part.length
    }
  }
  yield { piece: piece.subarray(0, length), isLast: true }
}

/**
 * Encrypts a stream (AES-256-GCM in frames, as the STREAM construction of Hoang, Reyhanitabar, Rogaway and Vizár). Whoever takes a
 * chunk may free it.
 */
export async function* encrypt(key: Uint8Array, plain: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let number = 0
  for await (const { piece, isLast } of cut(plain, plainBytes)) {
    yield seal(key, piece, { number, isLast })
    number += 1
  }
}

/** A file of `bytes` plain bytes, and how its encrypted bytes are read. */
type Sealed = { key: Uint8Array; bytes: number; read(range: ByteRange): AsyncIterable<Uint8Array> }

/**
 * Decrypts a part of a file.
 * @throws Error when a byte of it was changed or is missing
 */
export async function* decrypt({ key, bytes, read }: Sealed, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  const last = Math.max(0, Math.ceil(bytes / plainBytes) - 1)
  const first = Math.floor(start / plainBytes)
  const until = Math.min(last, Math.max(first, Math.ceil(end / plainBytes) - 1))
  const sealedBytes = bytes + (last + 1) * tagBytes
  let number = first
  for await (const { piece } of cut(
    read({ start: first * frameBytes, end: Math.min(sealedBytes, (until + 1) * frameBytes) }),
    frameBytes,
  )) {
    const plain = unseal(key, piece, { number, isLast: number === last })
    const from = number * plainBytes
    yield plain.subarray(Math.max(0, start - from), Math.max(0, Math.min(plain.length, end - from)))
    number += 1
  }
  if (number !== until + 1) throw new Error('a file whose end is missing')
}
