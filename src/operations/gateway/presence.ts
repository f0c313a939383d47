import { minuteMs, secondMs } from '../../domain/durations.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import type { Clock, Presence } from '../../ports.ts'
import { createBounded } from './bounded.ts'

/** How long an agent counts as healthy, in ms. Heartbeats come every 30 s, polls more often. */
const aliveMs = minuteMs

type Sign = { at: number; since: number; asked: number }

/** Creates the record of polls by agent, which also enforces the poll rate. */
export const createPresence = ({ clock, pollsPerSecond }: { clock: Clock; pollsPerSecond: number }): Presence => {
  const signs = createBounded<Sign>(limits.presences)
  const mark = (key: string, asks: number) => {
    const at = clock.now()
    const sign = signs.get(key)
    const isNew = !sign || at - sign.since >= secondMs || at < sign.since
    const next = isNew ? { at, since: at, asked: asks } : { at, since: sign.since, asked: sign.asked + asks }
    signs.set(key, next)
    return next.asked
  }
  return {
    see: key => void mark(key, 0),
    mayAsk: key => mark(key, 1) <= pollsPerSecond,
    ask(key) {
      if (mark(key, 1) > pollsPerSecond) throw new Problem('rate-limited', 'Poll at most every three seconds.')
    },
    healthy: () =>
      signs
        .entries()
        .filter(([, { at }]) => clock.now() - at < aliveMs)
        .map(([key]) => key)
        .reverse(),
    tell(key) {
      const sign = signs.get(key)
      if (!sign) return { health_status: 'unknown', last_seen: '' }
      const isAlive = clock.now() - sign.at < aliveMs
      return { health_status: isAlive ? 'healthy' : 'unhealthy', last_seen: new Date(sign.at).toISOString() }
    },
  }
}
