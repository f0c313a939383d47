import { type Context, Hono } from 'hono'
import { routePath } from 'hono/route'
import { secureHeaders } from 'hono/secure-headers'
import { limits } from '../domain/limits.ts'
import { Problem } from '../domain/problem.ts'
import { readFile } from '../operations/files/ownFiles.ts'
import { relay, streamingMethods, unparsable } from '../operations/gateway/relay.ts'
import { type Caller, checkScope, type Deps, userOf } from '../operations/operation.ts'
import { type A2aAgent, serveA2a } from './a2a.ts'
import { compressJson } from './compression.ts'
import type { Credentials } from './credentials.ts'
import { serveDocument } from './documents.ts'
import { streamRelay } from './events/relayStream.ts'
import { type StreamReach, streamAgUi, streamInvoke, streamRunEvents } from './events/sse.ts'
import { commandLine, softwareKit } from './events/streamFormats.ts'
import { createStreams, type StreamBounds, streamBounds } from './events/streams.ts'
import { answerFile } from './files/downloads.ts'
import { createTransfers } from './files/transfers.ts'
import { speakTus } from './files/tus.ts'
import { serveGuides } from './guides.ts'
import { toDocument } from './openapi.ts'
import type { OpenPage } from './openPage.ts'
import { servePages } from './pages.ts'
import { answerProblem, toProblem } from './problem.ts'
import { limitAddresses, limitNetworks, limitRates } from './rates.ts'
import { serveReference } from './reference.ts'
import { createCallerReader, cutConnection, type RunOf, readInput, withBytes } from './request.ts'
import type { Route } from './route.ts'
import type { SourceOf } from './source.ts'
import { type TurnBounds, type TurnOf, takeTurns, turnBounds } from './turns/takeTurns.ts'

export type AppDeps = {
  deps: Deps
  routes: readonly Route[]
  openPages?: readonly OpenPage[]
  /** The MCP endpoint, mounted at /mcp. Its caller is authenticated by the same rules as every other route. */
  mcp: (request: Request, caller: Caller) => Promise<Response>
  a2a: A2aAgent
  log(error: unknown): void
  /** Aborts when the service begins to shut down. */
  ending: AbortSignal
  bounds: { requestsASecond: number; streams?: StreamBounds; turns?: TurnBounds; stalledMs?: number }
  sourceOf: SourceOf
  credentials: Credentials
  /** Gets the run of each request. */
  runOf?: RunOf
  /** Gets the pattern of the route that answered each request. */
  routeOf?: WeakMap<Request, string>
  /** Gets the reader of the number of open event streams. */
  onStreams?: (open: () => number) => void
}

/** Builds the HTTP application: every given route, the MCP endpoint, the web pages and the OpenAPI document. */
export const createApp = ({ routes, openPages = [], mcp, a2a, bounds, ...given }: AppDeps): Hono => {
  const app = new Hono({ getPath: toPath })
  const { sourceOf, credentials } = given
  const turnOf: TurnOf = new WeakMap()
  const anonymousPaths = new Set(routes.filter(it => it.ignoresToken).map(it => it.path))
  const callerOf = createCallerReader({ ...given, turnOf, anonymousPaths })
  const streams = createStreams(bounds.streams ?? streamBounds)
  given.onStreams?.(streams.open)
  const reach = { ...given, callerOf, streams, beginTransfer: createTransfers(), stalledMs: bounds.stalledMs ?? limits.stalledMs }
  app.use(async (c, next) => {
    c.set('publicUrl', given.deps.settings.publicUrl)
    await next()
    given.routeOf?.set(c.req.raw, routePath(c, -1))
  })
  app.use(secureHeaders())
  app.use(compressJson)
  const rates = { perSecond: bounds.requestsASecond, clock: given.deps.clock, callerOf, sourceOf }
  if (rates.perSecond > 0) app.use(takeTurns({ bounds: bounds.turns ?? turnBounds, sourceOf, credentials, turnOf }))
  app.use(limitRates(rates), limitAddresses(rates), ...limitNetworks(rates))
  app.onError((error, c) => answerProblem(c, toProblem(error, reach.log)))
  app.notFound(c => answerProblem(c, otherMethod(c, routes) ?? new Problem('not-found')))
  // Responses of the identity provider contain tokens and messages to sign: no cache may store them.
  app.use('/v1/*', async (c, next) => {
    await next()
    // Set on the response itself: `c.header` would make another one, whose body the server reads in a slower way.
    c.res.headers.set('cache-control', 'no-store')
  })
  speakTus(app, given.deps.files.mostBytes)
  servePages(app, reach.deps, openPages)
  serveReference(app, routes)
  serveGuides(app, { url: given.deps.settings.publicUrl, sells: given.deps.selling !== undefined })
  for (const route of routes) app.on(route.method, route.path.replace(/\{(\w+)\}/g, ':$1'), c => answer(c, reach, route))
  app.all('/mcp', async c => {
    const caller = await callerOf(c)
    return mcp(await withBytes(c, caller, limits.messageBodyBytes), caller)
  })
  serveA2a(app, reach, a2a)
  const writeDocument = () => JSON.stringify(toDocument(routes, given.deps.settings.publicUrl))
  app.get('/openapi.json', serveDocument(writeDocument, { 'content-type': 'application/json' }))
  return app
}

type Reach = StreamReach & { callerOf(c: Context): Promise<Caller>; beginTransfer: ReturnType<typeof createTransfers> }

const answer = async (c: Context, reach: Reach, route: Route): Promise<Response> => {
  const { operation, stream, status } = route
  const caller = await reach.callerOf(c)
  // Before the body is read: reading and parsing it is most of the work of a request that is refused.
  if (operation.caller === 'user') userOf(caller)
  checkScope(operation, caller)
  const wantsStream = /\btext\/event-stream\b/.test(c.req.header('accept') ?? '')
  if (stream === 'events' && wantsStream) return streamRunEvents(c, reach, caller)
  const input = await readInput(c, caller, route).catch((error: unknown) => {
    if (operation === relay && error instanceof Problem && error.type === 'invalid-json') return undefined
    throw error
  })
  // JSON-RPC 2.0 defines its own error (-32700) for a body that is not JSON.
  if (input === undefined) return c.json(unparsable, 400)
  if (stream === 'ag-ui' && wantsStream) return streamAgUi(c, reach, { caller, input })
  if (stream === 'command-line') return streamInvoke(c, reach, { caller, input, format: commandLine })
  if (stream === 'software-kit') return streamInvoke(c, reach, { caller, input, format: softwareKit })
  if (stream === 'a2a' || (stream === 'a2a-method' && streamingMethods.has(String(input.method))))
    return streamRelay(c, reach, { caller, input })
  const endTransfer = route.takesFile || route.givesFile ? reach.beginTransfer(caller) : undefined
  const output = await operation.call(input, reach.deps, caller).catch((error: unknown) => {
    endTransfer?.()
    // The rest of a refused file is not read, so the next request needs another connection.
    if (route.takesFile) c.header('connection', 'close')
    throw error
  })
  if (route.givesFile)
    return answerFile(c, readFile.output.parse(output), {
      stalledMs: reach.stalledMs,
      onEnd: () => endTransfer?.(),
      cut: () => cutConnection(c),
      log: reach.log,
    })
  endTransfer?.()
  if (operation.tagOf) c.header('etag', operation.tagOf(output))
  const text = JSON.stringify(output)
  const own = operation.responseOf?.(output, reach.deps)
  const code = operation.isUnavailable?.(output) ? 503 : (own?.status ?? status ?? 200)
  if (code === 204) return c.body(null, code, own?.headers)
  return c.body(text, code, {
    ...own?.headers,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(text)),
  })
}

/** Collapses repeated slashes: clients that join base URLs carelessly send `//gateway/jobs/poll`. */
const toPath = (request: Request): string => new URL(request.url).pathname.replace(/\/{2,}/g, '/')

const otherMethod = (c: Context, routes: readonly Route[]): Problem | undefined => {
  const path = toPath(c.req.raw)
  const allowed = routes
    .filter(route => new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
    .map(it => it.method.toUpperCase())
  if (allowed.length === 0) return undefined
  c.header('allow', [...new Set(allowed)].join(', '))
  return new Problem('method-not-allowed', `Allowed methods: ${[...new Set(allowed)].join(', ')}.`)
}
