import { minuteMs } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import type { Clock, Poller, Pollers } from '../../ports.ts'
import { createBounded } from './bounded.ts'

/** Time in ms for which a poller has exclusive access to its agent. Agents poll every three seconds. */
const exclusiveMs = minuteMs

/** Minimum ms between two records of a contest of one agent, and maximum number of records a minute of this process. */
const reportEveryMs = 5 * minuteMs
const reportsAMinute = 60

type Hold = { by: Poller; until: number; contestedAt: number | undefined; reportedAt: number | undefined }

const isSame = (one: Poller, other: Poller) => one.source === other.source && one.isFullId === other.isFullId

/**
 * Decides which poller gets the jobs of an agent without a credential. Existing kits poll this way, and a process whose
 * registration was refused may poll with the same handle. In memory only, because the decision lasts a minute.
 */
export const createPollers = ({ clock }: { clock: Clock }): Pollers => {
  const holds = createBounded<Hold>(limits.presences)
  const reports = { since: 0, count: 0 }
  const mayReport = (reportedAt: number | undefined, now: number): boolean => {
    if (reportedAt !== undefined && now - reportedAt < reportEveryMs) return false
    if (now - reports.since >= minuteMs) Object.assign(reports, { since: now, count: 0 })
    reports.count += 1
    return reports.count <= reportsAMinute
  }
  const heldBy = (agentId: string): Hold | undefined => {
    const hold = holds.get(agentId)
    return hold && hold.until > clock.now() ? hold : undefined
  }
  return {
    keep(agentId, poller) {
      const now = clock.now()
      const last = holds.get(agentId)
      if (last && last.until > now && !isSame(last.by, poller)) return false
      const hold = last ?? { by: poller, until: 0, contestedAt: undefined, reportedAt: undefined }
      hold.by = poller
      hold.until = now + exclusiveMs
      holds.set(agentId, hold)
      return true
    },
    isElsewhere(agentId, source) {
      const hold = heldBy(agentId)
      return hold !== undefined && hold.by.source !== source
    },
    admit(agentId, poller) {
      const now = clock.now()
      const held = heldBy(agentId)
      const last = holds.get(agentId)
      const isElsewhere = held !== undefined && held.by.source !== poller.source
      const isContested = held !== undefined && !isSame(held.by, poller)
      // Two programs at one address cannot be told apart by it. The full id is known after a registration that succeeded.
      const isAdmitted = !isContested || (!isElsewhere && poller.isFullId)
      const isReportDue = isContested && mayReport(last?.reportedAt, now)
      const hold = last ?? { by: poller, until: 0, contestedAt: undefined, reportedAt: undefined }
      if (isAdmitted) Object.assign(hold, { by: poller, until: now + exclusiveMs })
      if (isContested) hold.contestedAt = now
      if (isReportDue) hold.reportedAt = now
      holds.set(agentId, hold)
      return { isAdmitted, isElsewhere, isReportDue }
    },
    contestedAt: agentId => holds.get(agentId)?.contestedAt,
  }
}
