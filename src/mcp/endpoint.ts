import { AsyncLocalStorage } from 'node:async_hooks'
import { createMcpHandler, hostHeaderValidationResponse, originValidationResponse } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { Problem } from '../domain/problem.ts'
import { confirmHire } from '../operations/hires/confirmHire.ts'
import { accessOf, type Caller, checkScope, type Deps, type Operation } from '../operations/operation.ts'
import type { Call } from './answer.ts'
import { type AskState, createAskState } from './asking.ts'
import { grantTools } from './grants.ts'
import { yesTools } from './hire.ts'
import { createMcpServer, type ServerDeps } from './server.ts'
import { createSessions } from './sessions.ts'
import { createNonces, type Nonces, showsApps, slipTool } from './slip/slips.ts'

/** Path of the web page with the user's wallet, mandates and agents. */
export const minePath = '/app/me'

const toolCall = z.object({ method: z.literal('tools/call'), params: z.object({ name: z.string() }) })
const toolCalled = (body: unknown): string => toolCall.safeParse(body).data?.params.name ?? ''

/**
 * Refuses the call of a tool that acts for a user, where nobody has signed in. The status tells the client to start its sign-in.
 * @throws Problem unauthenticated, insufficient-scope
 */
const checkSignIn = (operation: Operation | undefined, caller: Caller): void => {
  if (!operation) return
  const isForUser = operation.caller === 'user' || operation.scope !== undefined
  if (isForUser && caller.wallet === undefined && caller.agentKey === undefined)
    throw new Problem('unauthenticated', 'This tool works for a user: sign in, or send a bearer token.')
  checkScope(operation, caller)
}

type EndpointDeps = Pick<ServerDeps, 'tools' | 'asking'> & {
  deps: Deps
  hostnames: string[]
  /** Aborts when the service begins to shut down. */
  ending: AbortSignal
  log(error: unknown): void
}

/**
 * Creates the handler of /mcp: MCP over Streamable HTTP, for clients of the 2025 and the 2026 protocol versions. Each request
 * acts for its own caller, also in a session. A token that is sent here loses the power to say yes elsewhere, because a model
 * may hold it.
 */
export const createMcpEndpoint = ({ deps, tools, asking, hostnames, ending, log }: EndpointDeps) => {
  const page = `${deps.settings.publicUrl}${minePath}`
  const callers = new AsyncLocalStorage<Caller & { showsApps: boolean }>()
  // Made with the first request: a process that serves none has no keys.
  let made: { askState: AskState; nonces: Nonces } | undefined
  const codecs = () => {
    const { keyFor } = accessOf(deps)
    made ??= {
      askState: createAskState(keyFor('mcp-question')),
      nonces: createNonces({ ...deps, key: keyFor('mcp-app') }),
    }
    return made
  }
  const call: Call = (operation, input, { key, isApproved = false } = {}) => {
    const { showsApps: _showsApps, ...caller } = callers.getStore() ?? { wallet: undefined, showsApps: false }
    const as = { ...caller, asksOnly: !isApproved, ...(key !== undefined && { idempotencyKey: key }) }
    return operation.call(input, deps, as)
  }
  const needed = new Map<string, Operation>([...tools, ...asking, ...yesTools, ...grantTools].map(it => [it.name, it.operation]))
  needed.set(slipTool, confirmHire)
  const open = () => {
    const { askState, nonces } = codecs()
    const own = callers.getStore()?.showsApps ? nonces : undefined
    return createMcpServer({ tools, asking, call, page, log, askState, nonces: own })
  }
  const handler = createMcpHandler(open)
  const serveSession = createSessions({ open, clock: deps.clock, ending })
  return async (request: Request, caller: Caller): Promise<Response> => {
    const refused = hostHeaderValidationResponse(request, hostnames) ?? originValidationResponse(request, hostnames)
    if (refused) return refused
    if (caller.token !== undefined && caller.scopes === undefined) await deps.identity.limitToAsking(caller.token)
    const wallet = caller.wallet ?? deps.demoUser?.()
    const body: unknown = await request
      .clone()
      .json()
      .catch(() => undefined)
    checkSignIn(needed.get(toolCalled(body)), { ...caller, wallet })
    return callers.run({ ...caller, wallet, showsApps: showsApps(body) }, async () => {
      const served = await serveSession({ request, body, wallet })
      return served ?? handler.fetch(request, body === undefined ? {} : { parsedBody: body })
    })
  }
}
