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

/** Requests under way that share a bound: those of an address, of its network, or of all strangers. */
type Share = { key: string; most: number }

/**
 * Creates the gate of requests without a known credential. It bounds those that are under way at once, before any of them is
 * read, because a refusal by a route costs several times as much. Nobody takes more than what would stay free for the others
 * (the dynamic threshold of Choudhury and Hahne, 1998). So a few networks together leave room for everyone else.
 */
export const createCrowdGate = ({ sourceOf, credentials, held = heldRefusals }: GateDeps) => {
  const hold = createHolding(held)
  const underWay = new Map<string, number>()
  const countOf = ({ key }: Share) => underWay.get(key) ?? 0
  const roomOf = (share: Share) => share.most - countOf(share)
  const isFree = (share: Share, wider: Share | undefined) =>
    countOf(share) < Math.min(share.most, wider ? roomOf(wider) : Infinity)
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
    const shares = sharesOf(source)
    if (!shares.every((it, at) => isFree(it, shares[at + 1]))) return hold()
    for (const { key } of shares) add(key, 1)
    return end(serve, () => {
      for (const { key } of shares) add(key, -1)
    })
  }
}

/** The shares of an address, each within the next. An IPv4 address has no network of its own. */
const sharesOf = (source: string): Share[] => {
  const network = networksOf(source)?.network
  return [
    { key: source, most: most.address },
    ...(network === undefined ? [] : [{ key: network, most: most.network }]),
    { key: 'strangers', most: most.strangers },
  ]
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
