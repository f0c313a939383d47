import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { assemble } from './assemble.ts'
import { createRemote } from './http/remote.ts'
import { createAskState } from './mcp/asking.ts'
import { minePath } from './mcp/endpoint.ts'
import { createMcpServer } from './mcp/server.ts'

/** Serves the MCP tools over standard input and output, for the service at `url`. */
export const serveTools = ({ url, token }: { url: string; token: string }): { close(): Promise<void> } => {
  const { routes, tools, asking } = assemble()
  const call = createRemote({ url, token, fetch, routes })
  const askState = createAskState()
  const log = (error: unknown) => console.error(error)
  return serveStdio(() => createMcpServer({ tools, asking, call, page: `${url}${minePath}`, log, askState }))
}
