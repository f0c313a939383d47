import { chmod, mkdir, stat } from 'node:fs/promises'

const ownerOnly = 0o700
const others = 0o077
/** Set on folders that many people share, as /tmp. */
const sticky = 0o1000

/**
 * Makes a folder, and keeps one that exists for its owner alone: it holds keys and private conversations. A folder that is shared
 * on purpose, or that belongs to somebody else, keeps its mode.
 */
export const ensurePrivateFolder = async (path: string): Promise<void> => {
  await mkdir(path, { recursive: true, mode: ownerOnly })
  const { mode } = await stat(path)
  if ((mode & others) === 0 || (mode & sticky) !== 0) return
  await chmod(path, ownerOnly).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM') throw error
  })
}
