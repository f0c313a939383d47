import { minuteMs } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import type { Clock, Poller, Pollers } from '../../ports.ts'
import { createBounded } from './bounded.ts'

/** Time in ms for which a poller has exclusive access to its agent. Agents poll every three seconds. */
const exclusiveMs = minuteMs

type Hold = { by: Poller; until: number; contestedAt: number | undefined }

const isSame = (one: Poller, other: Poller) => one.source === other.source && one.isFullId === other.isFullId

/**
 * Decides which poller gets the jobs of an agent without a credential. Existing kits poll this way, and a process whose
 * registration was refused may poll with the same handle. In memory only, because the decision lasts a minute.
 */
export const createPollers = ({ clock }: { clock: Clock }): Pollers => {
  const holds = createBounded<Hold>(limits.presences)
  return {
    admit(agentId, poller) {
      const now = clock.now()
      const hold = holds.get(agentId)
      const isHeld = hold !== undefined && hold.until > now
      const isAdmitted = !isHeld || isSame(hold.by, poller) || (poller.isFullId && !hold.by.isFullId)
      const isContested = isHeld && !isSame(hold.by, poller)
      const contestedAt = isContested ? now : hold?.contestedAt
      if (isAdmitted) holds.set(agentId, { by: poller, until: now + exclusiveMs, contestedAt })
      else holds.set(agentId, { ...hold, contestedAt })
      return isAdmitted
    },
    contestedAt: agentId => holds.get(agentId)?.contestedAt,
  }
}
