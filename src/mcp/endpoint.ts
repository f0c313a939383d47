import { createMcpHandler, hostHeaderValidationResponse, originValidationResponse } from '@modelcontextprotocol/server'
import type { Address } from '../domain/hex.ts'
import type { Caller, Deps } from '../operations/operation.ts'
import type { Call } from './answer.ts'
import { createAskState } from './asking.ts'
import { createMcpServer } from './server.ts'

/** Path of the web page with the user's wallet, mandates and agents. */
export const minePath = '/app/me'

type EndpointDeps = {
  deps: Deps
  hostnames: string[]
  /** The wallet of a client without a token in the local world. Undefined elsewhere, where tools then ask for a token. */
  stranger(): Address | undefined
  log(error: unknown): void
}

/**
 * Creates the handler of /mcp: MCP over Streamable HTTP, stateless, with one server per request. It serves clients of the 2025
 * and the 2026 protocol versions.
 */
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
