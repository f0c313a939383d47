import type { Context, MiddlewareHandler } from 'hono'
import { rateLimiter } from 'hono-rate-limiter'
import { Problem } from '../domain/problem.ts'
import type { Caller } from '../operations/operation.ts'
import type { Clock } from '../ports.ts'
import { answerProblem } from './problem.ts'
import type { SourceOf } from './source.ts'

/** Existing clients ask again after 1, 2 and 3 s: whoever is over the limit gets through before they give up. */
const windowMs = 5_000
/** Callers that are counted at once, about 10 MB; who came first is forgotten first. */
const mostCallers = 50_000

type Counted = { totalHits: number; resetTime: Date }

/** Requests of each caller within its window, for a bounded number of callers. */
export const createCounts = ({ now }: Clock, most: number = mostCallers) => {
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

/** Users who share an address: an address may ask so many times as often as one of them. */
const usersOfAddress = 10

/**
 * Refuses who asks more than so many times a second, on average over the window: the user of a token, else the network
 * address. This machine's own requests, without a trusted proxy that names their client, have no limit.
 */
export const limitRates = ({ callerOf, sourceOf, ...rates }: RateDeps): MiddlewareHandler =>
  limit(rates, async c => {
    // A token that is refused is its sender's fault, and its sender is an address.
    const { wallet, source } = await callerOf(c).catch(() => ({ wallet: undefined, source: sourceOf(c) }))
    return wallet ?? source
  })

/** Refuses an address, whatever wallets it shows: one that makes wallets up is one caller. */
export const limitAddresses = ({ sourceOf, perSecond, clock }: RateDeps): MiddlewareHandler =>
  limit({ perSecond: perSecond * usersOfAddress, clock }, async c => sourceOf(c))

type KeyOf = (c: Context) => Promise<string | undefined>

const limit = ({ perSecond, clock }: Pick<RateDeps, 'perSecond' | 'clock'>, keyOf: KeyOf): MiddlewareHandler =>
  rateLimiter({
    windowMs,
    limit: perSecond * (windowMs / 1_000),
    standardHeaders: false,
    store: createCounts(clock),
    // Thousands of agents may poll from one address: polls are counted for each agent, where they are answered.
    skip: async c => perSecond === 0 || c.req.path === '/gateway/jobs/poll' || (await keyOf(c)) === undefined,
    keyGenerator: async c => (await keyOf(c)) ?? '',
    handler: c => answerProblem(c, new Problem('rate-limited'), windowMs / 1_000),
  })
