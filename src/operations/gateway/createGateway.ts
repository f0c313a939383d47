import { limits } from '../../domain/limits.ts'
import type { Clock, Dialer, Gateway, Pushed, PushLog, Store, Takers, Wakeups } from '../../ports.ts'
import { createTaskIndex } from '../workIndex.ts'
import { createAccess } from './access.ts'
import { createBounded } from './bounded.ts'
import { createDirectCalls } from './directCalls.ts'
import { createExternals } from './joinGateway.ts'
import { createPollers } from './pollers.ts'
import { createPresence } from './presence.ts'

type GatewayDeps = { store: Store; wakeups: Wakeups; clock: Clock; dialer: Dialer; pollsPerSecond?: number }

export const createGateway = ({
  store,
  wakeups,
  clock,
  dialer,
  pollsPerSecond = limits.pollsPerSecond,
}: GatewayDeps): Gateway => ({
  access: createAccess({ store, clock, wakeups }),
  presence: createPresence({ clock, pollsPerSecond }),
  pollers: createPollers({ clock }),
  takers: createTakers(),
  pushes: createPushLog({ clock }),
  externals: createExternals(),
  tasks: createTaskIndex(store, wakeups),
  dialer,
  direct: createDirectCalls({ dialer, clock }),
})

/** Creates the record of the last push to each agent, kept in memory. */
const createPushLog = ({ clock }: { clock: Clock }): PushLog => {
  const last = createBounded<Pushed>(limits.presences)
  return { note: (id, error = '') => last.set(id, { at: clock.now(), error }), get: id => last.get(id) }
}

/**
 * Remembers the address that took each job without a credential, so that its word counts as that of the agent. In
 * memory only: after a restart, and in another process, the word of nobody counts so.
 */
const createTakers = (): Takers => {
  const byJob = createBounded<{ source: string | undefined }>(limits.presences)
  return {
    note(jobId, taker) {
      if (taker) byJob.set(jobId, taker)
      else byJob.delete(jobId)
    },
    isTaker: (jobId, source) => {
      const taken = byJob.get(jobId)
      return taken !== undefined && taken.source === source
    },
  }
}
