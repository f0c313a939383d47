import { createBounded } from '../operations/gateway/bounded.ts'
import type { Credentials } from './credentials.ts'
import { createRefusal } from './earlyRefusal.ts'
import { networksOf, type Sent, type SourceOf } from './source.ts'

/** Polls that may come within a second, continuously and at once. */
type Rate = { perSecond: number; burst: number }
export type PollBounds = {
  /** Of one address without a known credential, of its IPv6 network (/48), and of all of them. */
  address: Rate
  network: Rate
  strangers: Rate
  /** Of one user or agent with a known credential, from all addresses. A user may have a thousand agents. */
  credential: Rate
  /** A poll that waits for a job takes the whole route, so it counts as so many. */
  waiting: number
  /** Polls of one address without a known credential that wait at once. */
  waitingAtOnce: number
}

/**
 * Kits poll every three seconds, or wait 25 s, and start all at once: an address may have a thousand such agents. Fifty that each
 * ask once a second for a job that they wait for are the most.
 */
export const pollBounds: PollBounds = {
  address: { perSecond: 350, burst: 1_500 },
  network: { perSecond: 700, burst: 3_000 },
  strangers: { perSecond: 3_000, burst: 9_000 },
  credential: { perSecond: 500, burst: 2_000 },
  waiting: 7,
  waitingAtOnce: 500,
}

const path = '/gateway/jobs/poll'
const refuse = createRefusal('Poll at most every three seconds.')
export const isPoll = (request: Request): boolean => (request.url.split('?', 1)[0] ?? '').endsWith(path)

/** Addresses and credentials whose polls are counted. */
const mostKeys = 50_000

type Bucket = { left: number; filledAt: number }

/** Counts polls by key. A key that is dropped is as good as new, so the one that polled longest ago is dropped first. */
const createBuckets = () => {
  const buckets = createBounded<Bucket>(mostKeys)
  return (key: string, count: number, { perSecond, burst }: Rate): boolean => {
    const now = performance.now()
    const { left, filledAt } = buckets.get(key) ?? { left: burst, filledAt: now }
    const filled = Math.min(burst, left + (perSecond * (now - filledAt)) / 1_000)
    const isWithin = filled >= count
    buckets.set(key, { left: isWithin ? filled - count : filled, filledAt: now })
    return isWithin
  }
}

type GateDeps = { bounds: PollBounds; sourceOf: SourceOf; credentials: Credentials }
type Serve = () => Response | Promise<Response>

/**
 * Creates the gate of polls. They are many and cheap, so they are counted here instead of waiting in turns: before the caller is
 * read, by address, or by a credential that was valid before. So no stranger uses up the polls of an agent.
 */
export const createPollGate = ({ bounds, sourceOf, credentials }: GateDeps) => {
  const take = createBuckets()
  const waitingOf = new Map<string, number>()

  const isWithin = (source: string, { count, isClaimed }: { count: number; isClaimed: boolean }): boolean => {
    const networks = networksOf(source)
    return (
      take(isClaimed ? `claimed at ${source}` : source, count, bounds.address) &&
      (!networks || take(networks.network, count, bounds.network)) &&
      take('strangers', count, bounds.strangers)
    )
  }
  const wait = async (source: string, serve: Serve): Promise<Response> => {
    const waiting = waitingOf.get(source) ?? 0
    if (waiting >= bounds.waitingAtOnce) return refuse()
    waitingOf.set(source, waiting + 1)
    try {
      return await serve()
    } finally {
      const left = (waitingOf.get(source) ?? 1) - 1
      if (left > 0) waitingOf.set(source, left)
      else waitingOf.delete(source)
    }
  }
  /** Serves a poll, or refuses it when it is one too many. */
  return (request: Request, env: object | undefined, serve: Serve): Response | Promise<Response> => {
    const sent: Sent = { env, req: { header: name => request.headers.get(name) ?? undefined } }
    const source = sourceOf(sent)
    // This machine's own requests have no bound, like everywhere.
    if (source === undefined) return serve()
    const isWaiting = /[?&]timeout=(?!0(?:\.0*)?(?:&|$))/.test(request.url)
    const count = isWaiting ? bounds.waiting : 1
    const holder = credentials.holderOf(sent)
    if (holder !== undefined) return take(`of ${holder}`, 1, bounds.credential) ? serve() : refuse()
    if (!isWithin(source, { count, isClaimed: credentials.isClaimed(sent) })) return refuse()
    return isWaiting ? wait(source, serve) : serve()
  }
}
