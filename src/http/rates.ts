import type { Context, MiddlewareHandler } from 'hono'
import { rateLimiter } from 'hono-rate-limiter'
import { Problem } from '../domain/problem.ts'
import type { Caller } from '../operations/operation.ts'
import type { Clock } from '../ports.ts'
import { answerProblem } from './problem.ts'
import { networksOf, type SourceOf } from './source.ts'

/** Existing clients retry after 1, 2 and 3 s, so a limited client succeeds within its last retry. */
const windowMs = 5_000
/** Callers whose requests are counted at the same time, about 10 MB. Beyond that the oldest counter is dropped. */
const maxCallers = 50_000

type Counted = { totalHits: number; resetTime: Date }

/** Request counters of a fixed window, at most `most` callers at a time. Implements the store of `hono-rate-limiter`. */
export const createCounts = ({ now }: Clock, most: number = maxCallers) => {
  const counts = new Map<string, Counted>()
  const begin = (key: string): Counted => {
    counts.delete(key)
    const [oldest] = counts.size < most ? [] : counts.keys()
    if (oldest !== undefined) counts.delete(oldest)
    const counted = { totalHits: 0, resetTime: new Date(now() + windowMs) }
    counts.set(key, counted)
    return counted
  }
  return {
    size: () => counts.size,
    increment: (key: string): Counted => {
      const known = counts.get(key)
      const counted = known && known.resetTime.getTime() > now() ? known : begin(key)
      counted.totalHits += 1
      return counted
    },
    decrement: (key: string): void => {
      const counted = counts.get(key)
      if (counted) counted.totalHits -= 1
    },
    resetKey: (key: string): void => void counts.delete(key),
  }
}

type RateDeps = { perSecond: number; clock: Clock; callerOf(c: Context): Promise<Caller>; sourceOf: SourceOf }

/** Users expected behind one address. The limit of an address is this many times the limit of one user. */
const usersOfAddress = 10

/**
 * Limits requests per second, averaged over the window, for the wallet of the token or else for the network address. Requests
 * of this machine are not limited, unless a trusted proxy names another client.
 */
export const limitRates = ({ callerOf, sourceOf, ...rates }: RateDeps): MiddlewareHandler =>
  limit(rates, async c => {
    // A request with an invalid token counts for its network address.
    const { wallet, source } = await callerOf(c).catch(() => ({ wallet: undefined, source: sourceOf(c) }))
    return wallet ?? source
  })

/** Limits requests per second of one network address, regardless of wallet: one address can create any number of wallets. */
export const limitAddresses = ({ sourceOf, perSecond, clock }: RateDeps): MiddlewareHandler =>
  limit({ perSecond: perSecond * usersOfAddress, clock }, async c => sourceOf(c))

/** An IPv6 customer has a /56 or a /48 full of addresses, so each network may send a few times as much as an address. */
export const limitNetworks = ({ sourceOf, perSecond, clock }: RateDeps): MiddlewareHandler[] =>
  (['site', 'network'] as const).map((of, at) =>
    limit({ perSecond: perSecond * usersOfAddress * 2 ** (at + 1), clock }, async c => networksOf(sourceOf(c) ?? '')?.[of]),
  )

type KeyOf = (c: Context) => Promise<string | undefined>

const limit = ({ perSecond, clock }: Pick<RateDeps, 'perSecond' | 'clock'>, keyOf: KeyOf): MiddlewareHandler =>
  rateLimiter({
    windowMs,
    limit: perSecond * (windowMs / 1_000),
    standardHeaders: false,
    store: createCounts(clock),
    // Thousands of agents may poll from one address, so polls are limited per agent, by the operation itself.
    skip: async c => perSecond === 0 || c.req.path === '/gateway/jobs/poll' || (await keyOf(c)) === undefined,
    keyGenerator: async c => (await keyOf(c)) ?? '',
    handler: c => answerProblem(c, new Problem('rate-limited'), windowMs / 1_000),
  })
