import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Keeps the position in the log of index changes up to which the index in this directory is current. It is deleted with the
 * directory, so that a new index is filled from the store.
 */
export const openMarks = async (dir: string) => {
  const file = join(dir, 'mark')
  const text = await readFile(file, 'utf8').catch(() => '')
  let mark = /^\d+$/.test(text) ? Number(text) : undefined
  return {
    read: async () => mark,
    write: async (next: number) => {
      if (next === mark) return
      await writeFile(`${file}.new`, String(next))
      await rename(`${file}.new`, file)
      mark = next
    },
  }
}
