import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Paths of all files in a folder and below it. A folder that is removed meanwhile has none. */
export const filesUnder = async (dir: string): Promise<string[]> => {
  const entries = await readdir(dir, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const paths = entries.map(it => (it.isDirectory() ? filesUnder(join(dir, it.name)) : [join(dir, it.name)]))
  return (await Promise.all(paths)).flat()
}
