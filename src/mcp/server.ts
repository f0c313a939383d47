import { type CallToolResult, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { Problem } from '../domain/problem.ts'
import type { Operation } from '../operations/operation.ts'
import { type ToolEntry, tools } from './tools.ts'

/** Does an operation for the caller that this server speaks for: in this process, or over HTTP. */
export type Call = (operation: Operation, input: unknown) => Promise<unknown>

const instructions =
  'A marketplace of agents for hire. Search offerings, ask for a proposal, show its terms to your user, and confirm only what the user said yes to.'

const structured = z.record(z.string(), z.unknown())
const objectSchema = z.instanceof(z.ZodObject)

type ServerDeps = { call: Call; log(error: unknown): void }

/** The operations as MCP tools. */
export const createMcpServer = (deps: ServerDeps): McpServer => {
  const server = new McpServer({ name: 'agent-marketplace', version: '1' }, { instructions })
  for (const tool of tools) registerTool(server, tool, deps)
  return server
}

const registerTool = (server: McpServer, { name, title, operation, annotations }: ToolEntry, deps: ServerDeps) => {
  const inputSchema = objectSchema.parse(operation.input)
  const outputSchema = objectSchema.parse(operation.output)
  server.registerTool(name, { title, description: operation.summary, inputSchema, outputSchema, annotations }, input =>
    answer(operation, input, deps),
  )
}

const answer = async (operation: Operation, input: unknown, { call, log }: ServerDeps): Promise<CallToolResult> => {
  try {
    const output = await call(operation, input)
    return { content: [{ type: 'text', text: JSON.stringify(output) }], structuredContent: structured.parse(output) }
  } catch (error) {
    const { type, detail } = error instanceof Problem ? error : unexpected(error, log)
    return { isError: true, content: [{ type: 'text', text: `${type}: ${detail}` }] }
  }
}

/** What is not ours to tell is logged; the protocol's library would hand its words to the client. */
const unexpected = (error: unknown, log: ServerDeps['log']): Problem => {
  log(error)
  return new Problem('internal')
}
