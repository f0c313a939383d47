import type { ByteRange } from '../domain/files/byteRange.ts'

/** Where encrypted bytes are kept, by the id of their file. */
export type Place = {
  /** Writes bytes whole or not at all, and frees them. Whatever reading them throws is thrown. */
  write(id: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  read(id: string, range: ByteRange): AsyncIterable<Uint8Array>
  /** Removes bytes; what is gone already does not matter. */
  remove(id: string): Promise<void>
  /** Pages of the ids of bytes that are older than a time (epoch ms). */
  idsBefore(time: number): AsyncIterable<string[]>
  /** Removes drafts that are older than a time (epoch ms): their writers have ended. @returns how many */
  removeDrafts(time: number): Promise<number>
  /** Whether removing bytes makes room on the disk of the uploads. */
  isOnDisk: boolean
  /** Free bytes of the disk on which uploads are written first. */
  freeBytes(): Promise<number>
  /** Whether it answers. @throws Problem files-unavailable with the reason when it does not */
  check(): Promise<void>
}

/** The name of bytes in their place: `ab/cdef…`. @throws RangeError for an id that is no file id */
export const toKey = (id: string): string => {
  const [, first, rest] = /^file_([0-9a-f]{2})([0-9a-f]{30})$/.exec(id) ?? []
  if (first === undefined) throw new RangeError('an id that is no file id')
  return `${first}/${rest}`
}
