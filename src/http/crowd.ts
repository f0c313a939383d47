import { setTimeout as delay } from 'node:timers/promises'
import { limits } from '../domain/limits.ts'
import type { Credentials } from './credentials.ts'
import { createRefusal } from './earlyRefusal.ts'
import { networksOf, type Sent, type SourceOf } from './source.ts'

type Serve = () => Response | Promise<Response>

/** The most requests under way at once: of one address, of one network, and of all strangers together. */
const most = {
  address: limits.waitingRequestsOfAddress,
  network: 4 * limits.waitingRequestsOfAddress,
  strangers: 16 * limits.waitingRequestsOfAddress,
}

const refuse = createRefusal('Too many requests of this address are under way.')

/** Refusals that are held at once, and the times in ms for which they are held. Above the number they are sent at once. */
type Held = { most: number; leastMs: number; moreMs: number }
const heldRefusals: Held = { most: 2_000, leastMs: 1_000, moreMs: 1_000 }

/**
 * Holds refusals for a while, each for another time. A client that sends its next request after each answer is slowed down, and a
 * thousand of them do not come back in the same moment.
 */
const createHolding = (held: Held) => {
  let count = 0
  return async (): Promise<Response> => {
    if (count >= held.most) return refuse()
    count += 1
    await delay(held.leastMs + Math.random() * held.moreMs, undefined, { ref: false })
    count -= 1
    return refuse()
  }
}

type GateDeps = { sourceOf: SourceOf; credentials: Credentials; held?: Held }

/**
 * Creates the gate of requests without a known credential. It bounds those that are under way at once, before any of them is
 * read, because a refusal by a route costs several times as much.
 */
export const createCrowdGate = ({ sourceOf, credentials, held = heldRefusals }: GateDeps) => {
  const hold = createHolding(held)
  const underWay = new Map<string, number>()
  const isWithin = (key: string, bound: number) => (underWay.get(key) ?? 0) < bound
  const add = (key: string, count: 1 | -1) => {
    const now = (underWay.get(key) ?? 0) + count
    if (now > 0) underWay.set(key, now)
    else underWay.delete(key)
  }

  /** Serves a request, or refuses it when too many like it are under way. */
  return (request: Request, env: object | undefined, serve: Serve): Response | Promise<Response> => {
    const sent: Sent = { env, req: { header: name => request.headers.get(name) ?? undefined } }
    const source = sourceOf(sent)
    // This machine's own requests have no bound, like everywhere.
    if (source === undefined || credentials.holderOf(sent) !== undefined) return serve()
    const network = networksOf(source)?.network
    const isFree =
      isWithin(source, most.address) &&
      (network === undefined || isWithin(network, most.network)) &&
      isWithin('strangers', most.strangers)
    if (!isFree) return hold()
    const keys = ['strangers', source, ...(network === undefined ? [] : [network])]
    for (const key of keys) add(key, 1)
    return end(serve, () => {
      for (const key of keys) add(key, -1)
    })
  }
}

const end = (serve: Serve, done: () => void): Response | Promise<Response> => {
  try {
    const answer = serve()
    if (answer instanceof Promise) return answer.finally(done)
    done()
    return answer
  } catch (error) {
    done()
    throw error
  }
}
