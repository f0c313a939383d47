import { join } from 'node:path'
import { createA2aAgent } from './a2a/endpoint.ts'
import { openSession, type Session } from './cli/session.ts'
import type { Config } from './config.ts'
import { createApp } from './http/app.ts'
import { createQuickPoll } from './http/quickPoll.ts'
import { createMcpEndpoint } from './mcp/endpoint.ts'
import type { Clock } from './ports.ts'
import { listen } from './process/listen.ts'
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

/** Starts a service. It listens first, because its address must be known, and then builds the world. */
export const startService = async ({ config, ...given }: Options): Promise<Service> => {
  const log = createLog(config.logLevel, process.stderr)
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
    const onError = (worker: string, error: unknown) =>
      log.error({ worker, error: toLogged(error) }, 'worker step undone; it will be tried again')
    world = await createWorld({ config, publicUrl, onError, ...given })
    const { deps } = world
    let stranger: Session | undefined
    const hostnames = ['127.0.0.1', 'localhost', '[::1]', new URL(publicUrl).hostname]
    const mcp = createMcpEndpoint({ deps, hostnames, stranger: () => stranger?.wallet, log: unexpected })
    const a2a = createA2aAgent({ deps, log: unexpected })
    const bounds = { requestsASecond: config.rateLimit, streams: config.streams }
    const app = createApp({ deps, mcp, a2a, log: unexpected, ending: ending.signal, bounds, trustedProxy: config.trustedProxy })
    const quickPoll = createQuickPoll(deps)
    fetch = (request, connection) => quickPoll(request) ?? app.fetch(request, connection)
    if (config.local) stranger = await openSession({ url: listening.url, file: join(config.dataDir, 'demo-user.json') })
    return { url: listening.url, world, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Only name, message and stack, because a library's error may contain the request that caused it. */
const toLogged = (error: unknown) =>
  error instanceof Error ? { name: error.name, message: error.message, stack: error.stack } : String(error)
