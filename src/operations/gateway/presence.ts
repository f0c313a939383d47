import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import type { Clock } from '../../ports.ts'
import { createBounded } from './bounded.ts'

/** Signs of life of agents, in memory only: what they say is over in a minute anyway. */
export type Presence = {
  see(key: string): void
  /** A sign of life that asks for work. @throws Problem rate-limited */
  ask(key: string): void
  /** As `ask`, as an answer; what is refused is counted all the same. */
  mayAsk(key: string): boolean
  /** As agent records tell it: `last_seen` is ISO 8601, empty when nothing was seen since this process started. */
  tell(key: string): { health_status: 'healthy' | 'unhealthy' | 'unknown'; last_seen: string }
}

/** Heartbeats come every 30 s, polls at least as often. */
const aliveMs = 60_000
const secondMs = 1_000

type Sign = { at: number; since: number; asked: number }

export const createPresence = ({ clock }: { clock: Clock }): Presence => {
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
    mayAsk: key => mark(key, 1) <= limits.pollsPerSecond,
    ask(key) {
      if (mark(key, 1) > limits.pollsPerSecond) throw new Problem('rate-limited', 'Ask for work every three seconds.')
    },
    tell(key) {
      const sign = signs.get(key)
      if (!sign) return { health_status: 'unknown', last_seen: '' }
      const isAlive = clock.now() - sign.at < aliveMs
      return { health_status: isAlive ? 'healthy' : 'unhealthy', last_seen: new Date(sign.at).toISOString() }
    },
  }
}
