import { deflateRawSync, gunzipSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'

// The first byte says how the text follows: as it is (written by migrations), or deflated. Earlier releases stored steps of runs
// as gzip, which begins with a byte of its own.
const plain = 0x30
const deflated = 0x31
const gzipped = 0x1f

/** Packs a text for a column of bytes. Call data and JSON take a third of their space. */
export const pack = (text: string): Uint8Array => Buffer.concat([Buffer.of(deflated), deflateRawSync(text)])

/** @throws RangeError for bytes that `pack` did not write */
export const unpack = (bytes: Uint8Array): string => {
  const [first] = bytes
  const rest = bytes.subarray(1)
  if (first === deflated) return inflateRawSync(rest).toString()
  if (first === plain) return Buffer.from(rest).toString()
  if (first === gzipped) return gunzipSync(bytes).toString()
  throw new RangeError(`a packed text begins with ${first}`)
}

/** A column with a packed text. */
export const packedText = z.instanceof(Uint8Array).transform(unpack)
