import { join } from 'node:path'
import { createA2aAgent } from './a2a/endpoint.ts'
import { openSession, type Session } from './cli/session.ts'
import type { Config } from './config.ts'
import { createApp } from './http/app.ts'
import { type Fetch, serveOperator } from './http/operator.ts'
import { createQuickPoll } from './http/quickPoll.ts'
import { createMcpEndpoint } from './mcp/endpoint.ts'
import type { Clock } from './ports.ts'
import { listen } from './process/listen.ts'
import { createMetrics, type Metrics } from './process/metrics.ts'
import { createLog } from './process/system.ts'
import { createWorld, type Outside, type World } from './world.ts'

export type Service = { url: string; world: World; stop(): Promise<void> }

type Options = { config: Config; clock?: Clock; wrap?: (outside: Outside) => Outside }

/** During the start only the liveness probe is answered. */
const starting: Fetch = request =>
  new URL(request.url).pathname === '/livez'
    ? Response.json({ status: 'alive' })
    : Response.json({ status: 'starting' }, { status: 503, headers: { 'retry-after': '1' } })

/** The probes of a process that serves no other request. */
const probes: readonly string[] = ['/livez', '/readyz', '/health']
const probesOf =
  (serve: Fetch): Fetch =>
  (request, connection) => {
    const { pathname } = new URL(request.url)
    return probes.includes(pathname)
      ? serve(request, connection)
      : Response.json({ detail: 'This process is a worker. Send requests to one with another ROLE.' }, { status: 404 })
  }

// A poll that is answered without waiting stays so.
const countRequests =
  (serve: Fetch, metrics: Metrics): Fetch =>
  (request, connection) => {
    const begunAt = performance.now()
    const count = (response: Response) => {
      metrics.countRequest(request.method, response.status, performance.now() - begunAt)
      return response
    }
    const answer = serve(request, connection)
    return answer instanceof Promise ? answer.then(count) : count(answer)
  }

/** Starts a service. It listens first, because its address must be known, and then builds the world. */
export const startService = async ({ config, ...given }: Options): Promise<Service> => {
  const log = createLog(config.logLevel, process.stderr)
  const metrics = createMetrics()
  const ending = new AbortController()
  let fetch = starting
  let world: World | undefined
  const listening = await listen({ host: config.host, port: config.port, fetch: (...asked) => fetch(...asked) })
  const unexpected = (error: unknown) => log.error({ error: toLogged(error) }, 'unexpected')
  // LangGraph awaits the writes of a step only when the step ends. An earlier rejection has no handler yet, and Node would exit
  // the process. The step still fails and is tried again.
  process.on('unhandledRejection', unexpected)
  const stop = async () => {
    process.off('unhandledRejection', unexpected)
    ending.abort()
    await listening.close()
    await world?.stop()
  }
  try {
    const publicUrl = config.publicUrl ?? listening.url
    const onError = (worker: string, error: unknown) => {
      metrics.countFailure(worker)
      log.error({ worker, error: toLogged(error) }, 'worker step undone; it will be tried again')
    }
    world = await createWorld({ config, publicUrl, onError, onStep: metrics.countStep, log, ...given })
    const { deps, operator } = world
    metrics.watch(deps)
    let stranger: Session | undefined
    const hostnames = ['127.0.0.1', 'localhost', '[::1]', new URL(publicUrl).hostname]
    const mcp = createMcpEndpoint({ deps, hostnames, stranger: () => stranger?.wallet, log: unexpected })
    const a2a = createA2aAgent({ deps, log: unexpected })
    const bounds = { requestsASecond: config.rateLimit, streams: config.streams }
    const app = createApp({ deps, mcp, a2a, log: unexpected, ending: ending.signal, bounds, trustedProxy: config.trustedProxy })
    const quickPoll = createQuickPoll(deps)
    const serveAll: Fetch = (request, connection) => quickPoll(request) ?? app.fetch(request, connection)
    const counted = countRequests(config.role === 'worker' ? probesOf(serveAll) : serveAll, metrics)
    fetch = serveOperator(counted, { token: config.operatorToken, metrics, operator })
    if (config.local && config.role !== 'worker')
      stranger = await openSession({ url: listening.url, file: join(config.dataDir, 'demo-user.json') })
    return { url: listening.url, world, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Only name, message and stack, because a library's error may contain the request that caused it. */
const toLogged = (error: unknown) =>
  error instanceof Error ? { name: error.name, message: error.message, stack: error.stack } : String(error)
