import type { Context, MiddlewareHandler } from 'hono'
import { Problem } from '../../domain/problem.ts'
import type { Credentials } from '../credentials.ts'
import { answerProblem } from '../problem.ts'
import { networksOf, type SourceOf } from '../source.ts'
import type { Path } from './claims.ts'
import { createLines, type LineBounds } from './lines.ts'
import { createQueue, type Turn } from './queue.ts'

export type TurnBounds = {
  /** Requests of one network address without a known credential, and those of users at one address. */
  address: LineBounds
  /** Requests without a known credential of a customer's IPv6 network (/56), and of a site's (/48). */
  site: LineBounds
  network: LineBounds
  /** Requests of one user, at all addresses. */
  user: LineBounds
  /** All requests without a known credential together. */
  strangers: LineBounds
  /** Time in ms that a request may wait for its turn before it is refused. */
  waitMs: number
}
export const turnBounds: TurnBounds = {
  address: { atOnce: 2, share: 0.25, burstMs: 1_000 },
  site: { atOnce: 3, share: 0.3, burstMs: 1_000 },
  network: { atOnce: 4, share: 0.35, burstMs: 1_000 },
  user: { atOnce: 2, share: 0.25, burstMs: 1_000 },
  strangers: { atOnce: 4, share: 0.5, burstMs: 500 },
  waitMs: 5_000,
}

const retryAfterS = 5

export type TurnOf = WeakMap<Request, Turn>
type TurnDeps = { bounds: TurnBounds; sourceOf: SourceOf; credentials: Credentials; turnOf: TurnOf }

/**
 * Limits the event loop time of each network address, network and user, and of all strangers together, before bodies are read.
 * Refuses requests with `rate-limited`. Requests of this machine are not limited, unless a trusted proxy names another client.
 */
export const takeTurns = ({ bounds, sourceOf, credentials, turnOf }: TurnDeps): MiddlewareHandler => {
  const queue = createQueue(bounds)
  const lineOf = createLines()
  const strangers = lineOf('strangers', bounds.strangers)
  const pathOf = (c: Context, source: string): Path => {
    const holder = credentials.holderOf(c)
    if (holder !== undefined)
      return { own: [lineOf(`user ${holder}`, bounds.user), lineOf(`users at ${source}`, bounds.address)] }
    const networks = networksOf(source)
    const around = networks ? [lineOf(networks.site, bounds.site), lineOf(networks.network, bounds.network)] : []
    return { own: [lineOf(source, bounds.address), ...around], strangers }
  }
  return async (c: Context, next) => {
    const source = sourceOf(c)
    // Thousands of agents may poll from one address, so polls have bounds of their own.
    if (source === undefined || c.req.path === '/gateway/jobs/poll') return next()
    const turn = await queue.take(pathOf(c, source))
    if (!turn) return answerProblem(c, new Problem('rate-limited'), retryAfterS)
    turnOf.set(c.req.raw, turn)
    try {
      return await next()
    } finally {
      turn.end()
    }
  }
}
