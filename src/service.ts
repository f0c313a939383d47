import { join } from 'node:path'
import type { DestinationStream, Logger } from 'pino'
import { createA2aAgent } from './a2a/endpoint.ts'
import { assemble, type Feature } from './assemble.ts'
import { openSession, type Session } from './cli/session.ts'
import type { Config } from './config.ts'
import type { Span } from './domain/runs/hireTrace.ts'
import { type Fetch, serveOperator } from './http/operator.ts'
import type { RunOf } from './http/request.ts'
import { createServe } from './http/serve.ts'
import { createMcpEndpoint } from './mcp/endpoint.ts'
import { readHealth } from './operations/readHealth.ts'
import type { Clock, RecordSpan } from './ports.ts'
import { createErrorLog, toLogged } from './process/errorLog.ts'
import { listen } from './process/listen.ts'
import { withLogged } from './process/logContext.ts'
import { createMetrics, type Metrics } from './process/metrics/metrics.ts'
import { createLog, randomIds, systemClock } from './process/system.ts'
import { openTracing } from './process/tracing.ts'
import { createWorld, type Outside, type World } from './world.ts'

/** `ended` resolves with the reason when the process must end by itself: a newer release has changed the schema. */
export type Service = { url: string; world: World; ended: Promise<Error>; stop(): Promise<void> }

type Options = {
  config: Config
  clock?: Clock
  logTo?: DestinationStream
  /** Features besides the core; absent for all. */
  features?: readonly Feature[]
  wrap?: (outside: Outside) => Outside
}

/** During the start only the liveness probe and the metrics are answered: a migration may take long. */
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

/** Requests that come all the time and say nothing new: probes, and polls without work. */
const isRoutine = (pathname: string, status: number) =>
  probes.includes(pathname) ||
  pathname === '/metrics' ||
  pathname === '/operator/state' ||
  (/poll$/.test(pathname) && status < 300)

/** The id of a request: that of a proxy in front, or a new one. */
const toRequestId = (request: Request): string => {
  const given = request.headers.get('x-request-id') ?? ''
  return /^[\w-]{1,64}$/.test(given) ? given : randomIds.fresh('request')
}

/** The route of a request that was refused before its route was found, because there are too many. */
const refusedAtOnce = 'none'

type RouteOf = WeakMap<Request, string>
type Counting = { metrics: Metrics; log: Logger; runOf: RunOf; routeOf: RouteOf; record: RecordSpan | undefined }

/** Counts requests, logs each with its id at level info, and records those that give a run a message. */
const countRequests = (serve: Fetch, { metrics, log, runOf, routeOf, record }: Counting): Fetch => {
  const isLogged = log.isLevelEnabled('info')
  const trace = (request: Request, status: number, ms: number) => {
    const runId = runOf.get(request)
    if (record && runId && request.method === 'POST') record(toRequestSpan(request, { runId, status, ms }))
  }
  return (request, connection) => {
    const begunAt = performance.now()
    const id = isLogged ? toRequestId(request) : ''
    const count = (response: Response) => {
      const ms = performance.now() - begunAt
      metrics.countRequest({ method: request.method, route: routeOf.get(request) ?? refusedAtOnce, status: response.status, ms })
      trace(request, response.status, ms)
      if (!isLogged) return response
      // The query may contain a code of the identity provider.
      const { pathname } = new URL(request.url)
      const named = { request: id, run: runOf.get(request) }
      const about = { ...named, method: request.method, path: pathname, status: response.status, ms: Math.round(ms) }
      if (!isRoutine(pathname, response.status)) log.info(about, 'request')
      return response
    }
    // A poll that is answered without waiting stays so.
    const answer = isLogged ? withLogged({ request: id }, () => serve(request, connection)) : serve(request, connection)
    if (answer instanceof Promise) return answer.then(count)
    if (answer.ok) metrics.countMemoryPoll()
    else metrics.countRequest({ method: request.method, route: refusedAtOnce, status: answer.status, ms: 0 })
    return answer
  }
}

type Answered = { runId: string; status: number; ms: number }

const toRequestSpan = (request: Request, { runId, status, ms }: Answered): Span => {
  const path = new URL(request.url).pathname.replace(runId, '{run_id}')
  const causedBy = request.headers.get('traceparent')
  const endedAt = Date.now()
  return {
    runId,
    name: `${request.method} ${path}`,
    startedAt: endedAt - ms,
    endedAt,
    isFailed: status >= 500,
    attributes: { 'market.run': runId, 'http.request.method': request.method, 'http.response.status_code': status },
    ...(causedBy && { causedBy }),
  }
}

type Doors = {
  config: Config
  world: World
  features: readonly Feature[] | undefined
  publicUrl: string
  metrics: Metrics
  log: Logger
  unexpected(error: unknown): void
  record: RecordSpan | undefined
  ending: AbortSignal
}

/** All requests to a world: HTTP routes, MCP and A2A, the probes of a worker, and the operator's pages. */
const openDoors = ({ config, world, features, publicUrl, metrics, log, unexpected, record, ending }: Doors): Fetch => {
  const { deps, operator } = world
  const runOf: RunOf = new WeakMap()
  const routeOf: RouteOf = new WeakMap()
  let streams = () => 0
  const hostnames = ['127.0.0.1', 'localhost', '[::1]', new URL(publicUrl).hostname]
  const { routes, openPages, tools, asking } = assemble(features)
  const serve = createServe({
    deps,
    routes,
    openPages,
    mcp: createMcpEndpoint({ deps, tools, asking, hostnames, ending, log: unexpected }),
    a2a: createA2aAgent({ deps, log: unexpected }),
    log: unexpected,
    ending,
    bounds: { requestsASecond: config.rateLimit, streams: config.streams },
    trustedProxy: config.trustedProxy,
    runOf,
    routeOf,
    onStreams: open => {
      streams = open
    },
  })
  metrics.watch({
    store: deps.store,
    chains: deps.chains,
    gateway: deps.gateway,
    elections: world.elections,
    connections: world.connections,
    streams: () => streams(),
    isReady: async () => (await readHealth.run({}, deps, { wallet: undefined })).status === 'healthy',
  })
  const counted = countRequests(config.role === 'worker' ? probesOf(serve) : serve, { metrics, log, runOf, routeOf, record })
  return serveOperator(counted, { token: config.operatorToken, metrics, operator })
}

const refuseNoRetention = ({ keepMs }: Config): void => {
  if (keepMs !== 0) return
  throw new Error('RETENTION_DAYS=0 would remove the texts of each run at its end. Leave it out to keep them, or set at least 1.')
}

/** Starts a service. It listens first, because its address must be known, and then builds the world. */
export const startService = async ({ config, logTo = process.stderr, ...given }: Options): Promise<Service> => {
  refuseNoRetention(config)
  const log = createLog(config.logLevel, logTo)
  const metrics = createMetrics()
  const ending = new AbortController()
  const early = serveOperator(starting, { token: config.operatorToken, metrics })
  let fetch = early
  let world: World | undefined
  const tracing = config.tracing && (await openTracing(config.tracing))
  const listening = await listen({ host: config.host, port: config.port, fetch: (...asked) => fetch(...asked) })
  const logError = createErrorLog(log, given.clock ?? systemClock)
  const unexpected = (error: unknown) => logError('request', error, 'unexpected')
  // LangGraph awaits the writes of a step only when the step ends. An earlier rejection has no handler yet, and Node would exit
  // the process. The step still fails and is tried again.
  process.on('unhandledRejection', unexpected)
  const stop = async () => {
    process.off('unhandledRejection', unexpected)
    ending.abort()
    await listening.close()
    await world?.stop()
    await tracing?.close()
  }
  try {
    const publicUrl = config.publicUrl ?? listening.url
    const onError = (worker: string, error: unknown) => {
      metrics.countFailure(worker)
      logError(worker, error, 'worker step undone; it will be tried again')
    }
    let demoUser: Session | undefined
    const { promise: ended, resolve: end } = Promise.withResolvers<Error>()
    const onMoved = (reason: Error) => {
      log.error({ error: toLogged(reason) }, 'a newer release changed the schema; this process ends')
      // No request may be answered with rows that this release cannot read.
      fetch = early
      ending.abort()
      end(reason)
    }
    const { countStep: onStep, countModelCall: onModelCall, noteMigration: onMigration } = metrics
    const toWatch = { onError, onStep, onModelCall, onMigration, onMoved, log }
    const known = { config, publicUrl, record: tracing?.record }
    world = await createWorld({ ...known, ...toWatch, demoUser: () => demoUser?.wallet, ...given })
    fetch = openDoors({ ...known, world, features: given.features, metrics, log, unexpected, ending: ending.signal })
    if (config.local && config.role !== 'worker')
      demoUser = await openSession({ url: listening.url, file: join(config.dataDir, 'demo-user.json') })
    return { url: listening.url, world, ended, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
