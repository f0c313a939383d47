import { createMcpHandler, hostHeaderValidationResponse, originValidationResponse } from '@modelcontextprotocol/server'
import type { Address } from '../domain/hex.ts'
import type { Caller, Deps } from '../operations/operation.ts'
import type { Call } from './answer.ts'
import { createAskState } from './asking.ts'
import { createMcpServer } from './server.ts'

/** Where the page shows people their own side: wallet, mandates, agents. */
export const minePath = '/app/me'

type EndpointDeps = {
  deps: Deps
  hostnames: string[]
  /** Who a client without a token is; undefined outside the local world, where tools then ask for one. */
  stranger(): Address | undefined
  log(error: unknown): void
}

/** MCP over Streamable HTTP: stateless, a fresh server a request, for clients of both protocol eras. */
export const createMcpEndpoint = ({ deps, hostnames, stranger, log }: EndpointDeps) => {
  const askState = createAskState()
  const page = `${deps.settings.publicUrl}${minePath}`
  return async (request: Request, caller: Caller): Promise<Response> => {
    const refused = hostHeaderValidationResponse(request, hostnames) ?? originValidationResponse(request, hostnames)
    if (refused) return refused
    const known = { ...caller, wallet: caller.wallet ?? stranger() }
    const call: Call = (operation, input, key) =>
      operation.call(input, deps, key === undefined ? known : { ...known, idempotencyKey: key })
    const handler = createMcpHandler(() => createMcpServer({ call, page, log, askState }))
    return handler.fetch(request)
  }
}
