/** A member of an archive. `read` is there where its bytes can be read here; it reads at most so many, and so no bomb. */
export type Member = { name: string; bytes: number; read?: (most: number) => Promise<Uint8Array> }
export type Archive = { members: Member[]; isCut: boolean }

/** Maximum members that are listed, and bytes of a packed `tar` that are read for them. */
const mostMembers = 1_000
const tarBytes = 16 * 1024 * 1024

const utf8 = new TextDecoder()
const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const bytesOf = async (blob: Blob, start: number, end: number) => new Uint8Array(await blob.slice(start, end).arrayBuffer())

/** Lists an archive (`zip`, `tar`, `tar.gz`) without unpacking it. @throws RangeError where it is none or broken */
export const readArchive = async (blob: Blob): Promise<Archive> => {
  const [first = 0, second = 0] = await bytesOf(blob, 0, 2)
  if (first === 0x50 && second === 0x4b) return readZip(blob)
  if (first !== 0x1f || second !== 0x8b) return readTar(await bytesOf(blob, 0, tarBytes), blob.size > tarBytes)
  const bytes = await unpack(blob, 'gzip', tarBytes)
  return readTar(bytes, bytes.length === tarBytes)
}

/** The first bytes of a packed stream. What comes after them is not unpacked. */
const unpack = async (blob: Blob, format: 'gzip' | 'deflate-raw', most: number): Promise<Uint8Array> => {
  const bytes = new Uint8Array(most)
  let at = 0
  for await (const chunk of blob.stream().pipeThrough(new DecompressionStream(format))) {
    bytes.set(chunk.subarray(0, most - at), at)
    at += Math.min(chunk.length, most - at)
    if (at === most) break
  }
  return bytes.subarray(0, at)
}

const end = { signature: 0x06054b50, bytes: 22, comment: 0xffff }
const largeEnd = { signature: 0x06064b50, bytes: 56, locator: 20 }
const directory = { signature: 0x02014b50, bytes: 46, most: 4 * 1024 * 1024 }

/** Reads the directory at the end of a `zip`. @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT */
const readZip = async (blob: Blob): Promise<Archive> => {
  const { start, size } = await findDirectory(blob)
  const bytes = await bytesOf(blob, start, start + Math.min(size, directory.most))
  const view = viewOf(bytes)
  const members: Member[] = []
  let at = 0
  while (members.length < mostMembers && at + directory.bytes <= bytes.length) {
    if (view.getUint32(at, true) !== directory.signature) break
    const [nameEnd, extra, comment] = [28, 30, 32].map(it => view.getUint16(at + it, true))
    const next = at + directory.bytes + (nameEnd ?? 0)
    const packed = {
      method: view.getUint16(at + 10, true),
      bytes: view.getUint32(at + 20, true),
      at: view.getUint32(at + 42, true),
    }
    members.push({
      name: utf8.decode(bytes.subarray(at + directory.bytes, next)),
      bytes: view.getUint32(at + 24, true),
      read: most => readMember(blob, packed, most),
    })
    at = next + (extra ?? 0) + (comment ?? 0)
  }
  return { members, isCut: at < size }
}

const findDirectory = async (blob: Blob): Promise<{ start: number; size: number }> => {
  const from = Math.max(0, blob.size - end.bytes - end.comment)
  const view = viewOf(await bytesOf(blob, from, blob.size))
  for (let at = view.byteLength - end.bytes; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== end.signature) continue
    const [size, start] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)]
    if (start !== 0xffffffff || at < largeEnd.locator) return { start, size }
    const large = Number(view.getBigUint64(at - largeEnd.locator + 8, true))
    const whole = viewOf(await bytesOf(blob, large, large + largeEnd.bytes))
    if (whole.getUint32(0, true) !== largeEnd.signature) break
    return { start: Number(whole.getBigUint64(48, true)), size: Number(whole.getBigUint64(40, true)) }
  }
  throw new RangeError('an archive without a directory')
}

const readMember = async (blob: Blob, { method, bytes, at }: { method: number; bytes: number; at: number }, most: number) => {
  const head = viewOf(await bytesOf(blob, at, at + 30))
  const start = at + 30 + head.getUint16(26, true) + head.getUint16(28, true)
  const packed = blob.slice(start, start + bytes)
  if (method === 0) return bytesOf(packed, 0, most)
  if (method !== 8) throw new RangeError('a member that is packed in another way')
  return unpack(packed, 'deflate-raw', most)
}

const block = 512

/** @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html (ustar) */
const readTar = (bytes: Uint8Array, isBegun: boolean): Archive => {
  const text = (from: number, length: number) => utf8.decode(bytes.subarray(from, from + length)).replace(/\0.*$/s, '')
  const members: Member[] = []
  let at = 0
  for (; members.length < mostMembers && at + block <= bytes.length && bytes[at] !== 0; ) {
    if (text(at + 257, 5) !== 'ustar') throw new RangeError('no archive')
    const size = Number.parseInt(text(at + 124, 12), 8) || 0
    const kind = text(at + 156, 1)
    const name = [text(at + 345, 155), text(at, 100)].filter(Boolean).join('/')
    if (['', '0', '5'].includes(kind)) members.push({ name, bytes: size })
    at += block + Math.ceil(size / block) * block
  }
  return { members, isCut: members.length === mostMembers || (isBegun && at >= bytes.length) }
}
