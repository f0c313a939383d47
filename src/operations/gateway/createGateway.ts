import { limits } from '../../domain/limits.ts'
import type { Clock, Dialer, Gateway, Store, Wakeups } from '../../ports.ts'
import { createTaskIndex } from '../workIndex.ts'
import { createAccess } from './access.ts'
import { createDirectCalls } from './directCalls.ts'
import { createExternals } from './externals.ts'
import { createPollers } from './pollers.ts'
import { createPresence } from './presence.ts'
import { createPushLog } from './pushLog.ts'
import { createTakers } from './takers.ts'

type GatewayDeps = {
  store: Store
  wakeups: Wakeups
  clock: Clock
  dialer: Dialer
  pollsPerSecond?: number
}

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
