export type Pixels = { width: number; height: number }

/**
 * The size of a picture that the head of its file tells: PNG, GIF, WebP, BMP and JPEG. Nothing is decoded.
 * @param head the first bytes of the file; a JPEG may tell its size after a preview
 */
export const readPixels = (head: Uint8Array): Pixels | undefined => {
  const at = new DataView(head.buffer, head.byteOffset, head.byteLength)
  const has = (text: string, from = 0) => [...text].every((it, place) => head[from + place] === it.charCodeAt(0))
  if (has('\x89PNG') && at.byteLength >= 24) return { width: at.getUint32(16), height: at.getUint32(20) }
  if (has('GIF8') && at.byteLength >= 10) return { width: at.getUint16(6, true), height: at.getUint16(8, true) }
  if (has('BM') && at.byteLength >= 26) return { width: Math.abs(at.getInt32(18, true)), height: Math.abs(at.getInt32(22, true)) }
  if (has('RIFF') && has('WEBP', 8) && at.byteLength >= 30) return readWebp(at, String.fromCharCode(head[15] ?? 0))
  return has('\xff\xd8') ? readJpeg(at) : undefined
}

/** The three kinds of WebP, by the last letter of their first chunk: lossy, lossless, extended (RFC 9649). */
const readWebp = (at: DataView, kind: string): Pixels | undefined => {
  if (kind === ' ') return { width: at.getUint16(26, true) & 0x3fff, height: at.getUint16(28, true) & 0x3fff }
  const bits = at.getUint32(kind === 'L' ? 21 : 24, true)
  if (kind === 'L') return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  const high = at.getUint16(27, true) | (at.getUint8(29) << 16)
  return kind === 'X' ? { width: (bits & 0xffffff) + 1, height: high + 1 } : undefined
}

/** The first frame of a JPEG (ITU T.81, B.2.2). Each segment before it names its length. */
const readJpeg = (at: DataView): Pixels | undefined => {
  let place = 2
  while (place + 9 <= at.byteLength && at.getUint8(place) === 0xff) {
    const marker = at.getUint8(place + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: at.getUint16(place + 7), height: at.getUint16(place + 5) }
    place += marker === 0xff ? 1 : 2 + at.getUint16(place + 2)
  }
  return undefined
}
