import { limits } from '../../domain/limits.ts'
import { isHandle } from '../../domain/offerings/registration.ts'
import type { External, Externals } from '../../ports.ts'
import { createBounded } from './bounded.ts'

/** The queue of an agent without a registration. It never equals the id of a registered agent. */
export const toExternalQueue = (handle: string) => `external:${handle}`

/** Joined agents, in memory only. After a restart they join again with their next poll or heartbeat. */
export const createExternals = (): Externals => {
  const known = createBounded<External>(limits.externalAgents)
  return {
    get: handle => known.get(handle),
    all: () => known.values(),
    join: it => known.set(it.handle, it),
    /** Polling with a valid handle joins the agent. */
    see: handle => {
      if (!isHandle(handle)) return false
      known.set(handle, known.get(handle) ?? { handle, metadata: {}, capabilities: [] })
      return true
    },
    leave: handle => known.delete(handle),
  }
}
