import { createHash, randomBytes } from 'node:crypto'
import { fileTypeFromBuffer } from 'file-type'
import { tooLarge } from '../domain/files/fileQuota.ts'
import { toMediaType } from '../domain/files/mediaType.ts'
import { limits } from '../domain/limits.ts'
import { StorageFull } from '../domain/problem.ts'
import type { Clock, FileVault, Sealer } from '../ports.ts'
import { decrypt, encrypt } from './frames.ts'
import { createPace } from './pace.ts'
import type { Place } from './place.ts'

/** The media type that the first bytes of a file prove by their signature; undefined for texts and unknown bytes. */
const proveType = async (head: Uint8Array): Promise<string | undefined> => {
  try {
    return (await fileTypeFromBuffer(head))?.mime
  } catch {
    // Bytes that begin like a type and go on like none prove nothing.
    return undefined
  }
}

type VaultDeps = {
  place: Place
  sealer: Sealer
  sign: FileVault['sign']
  clock: Clock
  /** The most bytes of one file, and of all files together. */
  mostBytes?: number | undefined
  all?: { mostBytes: number; bytes(): Promise<number> } | undefined
}

/** The bytes from which a type is found. */
const headBytes = 64 * 1_024
const keyBytes = 32

/** Keeps files encrypted, each with a key of its own that the master key wraps. */
export const createVault = (deps: VaultDeps): FileVault => {
  const { place, sealer, sign, clock, all, mostBytes = limits.fileBytes } = deps
  const paced = createPace()
  return {
    mostBytes,
    async keep(id, { bytes, declaredType, name }) {
      const key = randomBytes(keyBytes)
      const seen = createSeen(mostBytes)
      await place.write(id, encrypt(key, seen.through(paced(bytes)))).catch(refuseWithoutSpace)
      const mediaType = toMediaType({ proven: await proveType(seen.head()), head: seen.head(), declared: declaredType, name })
      return { sha256: seen.sha256(), bytes: seen.bytes(), mediaType, sealed: sealer.seal(key.toString('hex'), id) }
    },
    open({ id, sealed, bytes }, range = { start: 0, end: bytes }) {
      const key = Buffer.from(sealer.open(sealed, id), 'hex')
      return decrypt({ key, bytes, read: part => paced(place.read(id, part)) }, range)
    },
    async missingBytes(bytes) {
      const onDisk = limits.fileSpareBytes + bytes - (await place.freeBytes())
      if (onDisk > 0 && !place.isOnDisk) throw full()
      const ofAll = all ? (await all.bytes()) + bytes - all.mostBytes : 0
      return Math.max(0, onDisk, ofAll)
    },
    async remove(ids) {
      for (const id of ids) await place.remove(id)
    },
    async sweep({ knownOf, olderThanMs }) {
      const before = clock.now() - olderThanMs
      let removed = await place.removeDrafts(before)
      for await (const ids of place.idsBefore(before)) {
        const known = await knownOf(ids)
        const unknown = ids.filter(it => !known.has(it))
        for (const id of unknown) await place.remove(id)
        removed += unknown.length
      }
      return removed
    },
    sign,
  }
}

const full = () => new StorageFull('files', new Error(`less than ${limits.fileSpareBytes} bytes would be free`))

const refuseWithoutSpace = (error: unknown): never => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  throw code === 'ENOSPC' || code === 'EDQUOT' ? new StorageFull('files', error) : error
}

/** Looks at a stream on its way: its hash, its size and its first bytes. */
const createSeen = (mostBytes: number) => {
  const hash = createHash('sha256')
  const heads: Uint8Array[] = []
  let size = 0
  return {
    async *through(bytes: AsyncIterable<Uint8Array>) {
      for await (const chunk of bytes) {
        // A copy, because the chunk holds until the next one is asked for.
        if (size < headBytes) heads.push(Buffer.from(chunk))
        size += chunk.length
        if (size > mostBytes) throw tooLarge(mostBytes)
        hash.update(chunk)
        yield chunk
      }
    },
    head: () => Buffer.concat(heads).subarray(0, headBytes),
    bytes: () => size,
    sha256: () => hash.digest('hex'),
  }
}
