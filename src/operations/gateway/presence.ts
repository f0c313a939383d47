import { minuteMs, secondMs, toIso } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import type { Clock, Presence } from '../../ports.ts'
import { createBounded } from './bounded.ts'

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
