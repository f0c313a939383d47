import { createMcpHandler, hostHeaderValidationResponse, originValidationResponse } from '@modelcontextprotocol/server'
import type { Address } from '../domain/hex.ts'
import type { Caller, Deps } from '../operations/operation.ts'
import type { Call } from './answer.ts'
import { createHireState } from './hire.ts'
import { createMcpServer } from './server.ts'

type EndpointDeps = {
  deps: Deps
  hostnames: string[]
  /** Who a client without a token is; undefined outside the local world, where tools then ask for one. */
  stranger(): Address | undefined
  log(error: unknown): void
}

/** MCP over Streamable HTTP: stateless, a fresh server a request, for clients of both protocol eras. */
export const createMcpEndpoint = ({ deps, hostnames, stranger, log }: EndpointDeps) => {
  const hireState = createHireState()
  return async (request: Request, caller: Caller): Promise<Response> => {
    const refused = hostHeaderValidationResponse(request, hostnames) ?? originValidationResponse(request, hostnames)
    if (refused) return refused
    const known = { ...caller, wallet: caller.wallet ?? stranger() }
    const call: Call = (operation, input) => operation.call(input, deps, known)
    const handler = createMcpHandler(() => createMcpServer({ call, log, hireState }))
    return handler.fetch(request)
  }
}
