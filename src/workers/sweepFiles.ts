import { hourMs } from '../domain/durations.ts'
import { limits } from '../domain/limits.ts'
import type { FileVault, Store } from '../ports.ts'
import type { Worker } from './loop.ts'

/** Files removed per transaction. Other writes can proceed in between. */
const filesAtOnce = 100

/** Removes expired files to which no job refers, and what a process left behind that ended in the middle of an upload. */
export const sweepFiles = ({ store, files }: { store: Store; files: FileVault }): Worker => ({
  name: 'sweepFiles',
  channel: 'deadlines',
  idleMs: hourMs,
  async runOnce() {
    const expired = await store.expireFiles({ limit: filesAtOnce })
    const { ended, parts } = await store.expireUploads({ limit: filesAtOnce })
    await files.remove([...expired, ...parts])
    if (expired.length === filesAtOnce || ended === filesAtOnce) return true
    await files.sweep({ knownOf: ids => store.knownFiles(ids), olderThanMs: limits.fileDraftMs })
    return false
  },
})
