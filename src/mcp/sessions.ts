import { isInitializeRequest, type McpServer, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Address } from '../domain/hex.ts'
import { isObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { Problem } from '../domain/problem.ts'
import type { Clock } from '../ports.ts'
import { showsApps } from './slip/slips.ts'

type Session = {
  wallet: Address
  transport: WebStandardStreamableHTTPServerTransport
  usedAt: number
  /** Requests whose answers are still being sent. Each may wait for the user. */
  open: number
}

type Asked = { request: Request; body: unknown; wallet: Address | undefined }

/**
 * Sessions of clients of the 2025 protocol versions that can ask their user, or show apps. Such a client says so only in its
 * first request, and gets questions in the stream of a later one. All other clients are served without a session.
 */
export const createSessions = ({ open, clock, ending }: { open(): McpServer; clock: Clock; ending: AbortSignal }) => {
  /** The least recently used session is the first. */
  const sessions = new Map<string, Session>()
  const end = (id: string) => {
    const session = sessions.get(id)
    sessions.delete(id)
    void session?.transport.close()
  }
  ending.addEventListener('abort', () => {
    for (const id of [...sessions.keys()]) end(id)
  })
  const makeRoom = (wallet: Address) => {
    const now = clock.now()
    for (const [id, { usedAt }] of sessions) if (now - usedAt > limits.mcpSessionMs) end(id)
    const own = [...sessions].flatMap(([id, it]) => (it.wallet === wallet ? [id] : []))
    const [oldestOwn = ''] = own
    if (own.length >= limits.mcpSessionsOfUser) end(oldestOwn)
    const [oldest = ''] = sessions.size >= limits.mcpSessions ? sessions.keys() : []
    end(oldest)
  }
  const begin = async ({ request, body }: Asked, wallet: Address): Promise<Response> => {
    makeRoom(wallet)
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: id => void sessions.set(id, { wallet, transport, usedAt: clock.now(), open: 0 }),
      onsessionclosed: end,
    })
    await open().connect(transport)
    return transport.handleRequest(request, { parsedBody: body })
  }

  /**
   * Serves the request in its session, or in a new one where the client can ask its user. Undefined when the request belongs to
   * no session: one of another user, or one that has ended, grants nothing and costs the client nothing but its questions.
   * @throws Problem too-many-streams
   */
  return async ({ request, body, wallet }: Asked): Promise<Response | undefined> => {
    const id = request.headers.get('mcp-session-id')
    if (wallet === undefined || request.method === 'GET') return undefined
    if (id === null) return mayAsk(body) ? begin({ request, body, wallet }, wallet) : undefined
    const session = sessions.get(id)
    if (session?.wallet !== wallet) return undefined
    sessions.delete(id)
    sessions.set(id, Object.assign(session, { usedAt: clock.now() }))
    return serve(session, { request, body, wallet })
  }
}

const serve = async (session: Session, { request, body }: Asked): Promise<Response> => {
  const { transport } = session
  const asked = requestsIn(body)
  if (asked.length > 0 && session.open >= limits.mcpRequestsOfSession) throw new Problem('too-many-streams')
  const response = await transport.handleRequest(request, body === undefined ? {} : { parsedBody: body })
  if (!response.body || asked.length === 0) return response
  session.open += 1
  const leave = () => {
    session.open -= 1
  }
  const cancel = () => {
    leave()
    // The answer cannot be sent any more, so nothing waits for the user on its behalf.
    const reason = 'The connection was closed.'
    for (const requestId of asked)
      transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } })
  }
  const { status, headers } = response
  return new Response(response.body.pipeThrough(new TransformStream({ flush: leave, cancel })), { status, headers })
}

/** The ids of the JSON-RPC requests in a body. Answers to our own questions and notifications have no method or no id. */
const requestsIn = (body: unknown): (string | number)[] =>
  [body].flat().flatMap(it => {
    const id = isObject(it) && 'method' in it ? it.id : undefined
    return typeof id === 'string' || typeof id === 'number' ? [id] : []
  })

const mayAsk = (body: unknown): boolean =>
  isInitializeRequest(body) && (body.params.capabilities.elicitation !== undefined || showsApps(body))
