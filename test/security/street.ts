import { connect as dial, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { createA2aAgent } from '../../src/a2a/endpoint.ts'
import type { StreamBounds } from '../../src/http/events/streams.ts'
import type { PollBounds } from '../../src/http/polls.ts'
import { createServe } from '../../src/http/serve.ts'
import type { TrustedProxy } from '../../src/http/source.ts'
import { type TurnBounds, turnBounds } from '../../src/http/turns/takeTurns.ts'
import type { Deps } from '../../src/operations/operation.ts'
import { listen } from '../../src/process/listen.ts'
import { routes } from '../assembled.ts'
import type { TestService } from '../service.ts'

type Bounds = {
  trustedProxy?: TrustedProxy
  streams?: StreamBounds
  /** Bounds other than the usual ones. */
  turns?: Partial<TurnBounds>
  polls?: PollBounds
  requestsASecond?: number
  stalledMs?: number
  requestMs?: number
  deps?: Partial<Deps>
  log?: (error: unknown) => void
}

/** Limits under which no request waits, because tests of other limits send many requests within seconds. */
const free = { atOnce: 1_000, share: 1, burstMs: 600_000 }
const freeTurns: TurnBounds = { address: free, site: free, network: free, user: free, strangers: free, waitMs: 60_000 }

/** Opens a second HTTP server of a running service, with its own limits, on a free port. */
export const openDoor = async (
  { service }: TestService,
  { deps, log, requestMs, trustedProxy, turns, ...bounds }: Bounds = {},
) => {
  const fetch = createServe({
    routes,
    deps: { ...service.world.deps, ...deps },
    mcp: async () => new Response(null, { status: 404 }),
    a2a: createA2aAgent({ deps: service.world.deps, log: () => undefined }),
    log: log ?? (() => undefined),
    ending: new AbortController().signal,
    bounds: { requestsASecond: 0, ...bounds, turns: turns ? { ...turnBounds, ...turns } : freeTurns },
    trustedProxy,
  })
  return listen({ fetch, host: '127.0.0.1', port: 0, ...(requestMs !== undefined && { requestMs }) })
}

/** Opens a TCP connection on which any bytes can be sent. */
export const openSocket = (url: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = dial({ host: hostname, port: Number(port) }, () => resolve(socket)).on('error', reject)
  })

/** Sends bytes and returns everything that is received until the server closes the connection. */
export const shout = async (url: string, bytes: string): Promise<string> => {
  const socket = await openSocket(url)
  socket.write(bytes)
  return text(socket)
}
