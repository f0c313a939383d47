import { access, chmod, mkdir, stat } from 'node:fs/promises'

const ownerOnly = 0o700
const others = 0o077
/** The sticky bit, which is set on shared folders such as /tmp. */
const sticky = 0o1000

/**
 * Creates a folder, and makes an existing one accessible to its owner only: it holds keys and private conversations. A shared
 * folder, or one of another owner, keeps its mode.
 */
export const ensurePrivateFolder = async (path: string): Promise<void> => {
  await mkdir(path, { recursive: true, mode: ownerOnly })
  const { mode } = await stat(path)
  if ((mode & others) === 0 || (mode & sticky) !== 0) return
  await chmod(path, ownerOnly).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM') throw error
  })
}

/** Whether there is a file or folder at a path. */
export const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
