import { minuteMs, secondMs, toIso } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import type { Clock, Poller, Pollers, Presence } from '../../ports.ts'
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

/** How long an agent counts as healthy, in ms. Heartbeats come every 30 s, polls more often. */
const aliveMs = minuteMs

/** The requests of one asker in the second that began at `since`. */
type Asked = { since: number; count: number }

/** Creates the record of polls by agent, which also enforces the poll rate. */
export const createPresence = ({ clock, pollsPerSecond }: { clock: Clock; pollsPerSecond: number }): Presence => {
  const signs = createBounded<{ at: number }>(limits.presences)
  const asked = createBounded<Asked>(limits.presences)
  const see = (key: string) => signs.set(key, { at: clock.now() })
  // Polls are many: what is kept of each is changed in place.
  const mayAsk = (key: string, by: string | undefined) => {
    const now = clock.now()
    const sign = signs.get(key) ?? { at: now }
    sign.at = now
    signs.set(key, sign)
    const asker = by === undefined ? key : `${key} ${by}`
    const it = asked.get(asker) ?? { since: now, count: 0 }
    if (now - it.since >= secondMs || now < it.since) Object.assign(it, { since: now, count: 0 })
    it.count += 1
    asked.set(asker, it)
    return it.count <= pollsPerSecond
  }
  return {
    see,
    mayAsk,
    ask(key, by) {
      if (!mayAsk(key, by)) throw new Problem('rate-limited', 'Poll at most every three seconds.')
    },
    healthy() {
      const alive = signs.entries().filter(([, { at }]) => clock.now() - at < aliveMs)
      // Lists take as many, so each agent has its turn.
      const isMore = alive.length > limits.filteredAgents
      const inOrder = isMore ? alive.toSorted(([, one], [, other]) => other.at - one.at) : alive.reverse()
      return inOrder.map(([key]) => key)
    },
    tell(key) {
      const sign = signs.get(key)
      if (!sign) return { health_status: 'unknown', last_seen: '' }
      const isAlive = clock.now() - sign.at < aliveMs
      return { health_status: isAlive ? 'healthy' : 'unhealthy', last_seen: toIso(sign.at) }
    },
  }
}
