import type { JsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { isHandle } from '../../domain/registration.ts'
import { createBounded } from './bounded.ts'

/** An agent that joined the gateway without being registered: it gets tasks by its handle and is listed nowhere. */
export type External = { handle: string; metadata: JsonObject; capabilities: string[] }

/** The queue of an agent that is not registered; the id of a registered one never looks like this. */
export const toExternalQueue = (handle: string) => `external:${handle}`

export type Externals = ReturnType<typeof createExternals>

/** In memory only: such an agent says again who it is with its next poll or heartbeat. */
export const createExternals = () => {
  const known = createBounded<External>(limits.externalAgents)
  return {
    get: (handle: string) => known.get(handle),
    all: () => known.values(),
    join: (it: External) => known.set(it.handle, it),
    /** Whoever asks by a handle that could be one has joined. */
    see: (handle: string): boolean => {
      if (!isHandle(handle)) return false
      known.set(handle, known.get(handle) ?? { handle, metadata: {}, capabilities: [] })
      return true
    },
    leave: (handle: string) => known.delete(handle),
  }
}
