import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createRemote } from './http/remote.ts'
import { createAskState } from './mcp/asking.ts'
import { minePath } from './mcp/endpoint.ts'
import { createMcpServer } from './mcp/server.ts'

/** Serves the tools over the standard streams of this process, for the service at an address. */
export const serveTools = ({ url, token }: { url: string; token: string }): { close(): Promise<void> } => {
  const call = createRemote({ url, token, fetch })
  const askState = createAskState()
  const log = (error: unknown) => console.error(error)
  return serveStdio(() => createMcpServer({ call, page: `${url}${minePath}`, log, askState }))
}
