import { limits } from '../../domain/limits.ts'
import { isHandle } from '../../domain/registration.ts'
import type { External, Externals } from '../../ports.ts'
import { createBounded } from './bounded.ts'

/** The queue of an agent that is not registered; the id of a registered one never looks like this. */
export const toExternalQueue = (handle: string) => `external:${handle}`

/** In memory only: such an agent says again who it is with its next poll or heartbeat. */
export const createExternals = (): Externals => {
  const known = createBounded<External>(limits.externalAgents)
  return {
    get: handle => known.get(handle),
    all: () => known.values(),
    join: it => known.set(it.handle, it),
    /** Whoever asks by a handle that could be one has joined. */
    see: handle => {
      if (!isHandle(handle)) return false
      known.set(handle, known.get(handle) ?? { handle, metadata: {}, capabilities: [] })
      return true
    },
    leave: handle => known.delete(handle),
  }
}
