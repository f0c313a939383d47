import { createHash, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { createA2aAgent } from './a2a/endpoint.ts'
import { openSession, type Session } from './cli/session.ts'
import type { Config } from './config.ts'
import { createApp } from './http/app.ts'
import { createQuickPoll } from './http/quickPoll.ts'
import { createMcpEndpoint } from './mcp/endpoint.ts'
import type { Clock } from './ports.ts'
import { listen } from './process/listen.ts'
import { createMetrics, type Metrics } from './process/metrics.ts'
import { createLog } from './process/system.ts'
import { createWorld, type Outside, type World } from './world.ts'

export type Service = { url: string; world: World; stop(): Promise<void> }

type Options = { config: Config; clock?: Clock; wrap?: (outside: Outside) => Outside }

type Fetch = (request: Request, connection: object) => Response | Promise<Response>
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

/** Answers `/metrics` to the operator. Without a token in the settings it is an address like any unknown one. */
const serveMetrics = (serve: Fetch, { metrics, token }: { metrics: Metrics; token: string | undefined }): Fetch => {
  if (token === undefined) return serve
  const answer = async (request: Request): Promise<Response> => {
    if (!isSame(request.headers.get('authorization') ?? '', `Bearer ${token}`))
      return Response.json(
        { detail: 'Metrics are for the operator.' },
        { status: 401, headers: { 'www-authenticate': 'Bearer' } },
      )
    const { type, text } = await metrics.collect()
    return new Response(text, { headers: { 'content-type': type, 'cache-control': 'no-store' } })
  }
  return (request, connection) => (new URL(request.url).pathname === '/metrics' ? answer(request) : serve(request, connection))
}

/** Compares digests, so that the time does not depend on the given text. */
const isSame = (given: string, right: string) =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(right).digest())

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
    world = await createWorld({ config, publicUrl, onError, onStep: metrics.countStep, ...given })
    const { deps } = world
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
    fetch = serveMetrics(counted, { metrics, token: config.operatorToken })
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
