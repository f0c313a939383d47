import type { ByteRange } from '../domain/files/byteRange.ts'

/** Where encrypted bytes are kept, by the id of their file. */
export type Place = {
  /** Writes bytes whole or not at all. Whatever reading them throws is thrown. */
  write(id: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  read(id: string, range: ByteRange): AsyncIterable<Uint8Array>
  /** Removes bytes; what is gone already does not matter. */
  remove(id: string): Promise<void>
  /** Pages of the ids of bytes that are older than a time (epoch ms). */
  idsBefore(time: number): AsyncIterable<string[]>
  /** Removes drafts that are older than a time (epoch ms): their writers have ended. @returns how many */
  removeDrafts(time: number): Promise<number>
  /** Free bytes of the place; undefined where nobody knows. */
  freeBytes(): Promise<number | undefined>
}
