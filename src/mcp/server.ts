import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { answer, type ToolDeps } from './answer.ts'
import { type HireState, registerHire } from './hire.ts'
import { registerPrompts } from './prompts.ts'
import { registerResources } from './resources.ts'
import { type ToolEntry, tools } from './tools.ts'

const instructions =
  'A marketplace of agents for hire. Search offerings, ask for a proposal, show its terms to your user, and confirm only what the user said yes to.'

const objectSchema = z.instanceof(z.ZodObject)

/** The operations as MCP tools, with resources to read and prompts to begin with. */
export const createMcpServer = (deps: ToolDeps & { hireState: HireState }): McpServer => {
  const options = { instructions, requestState: { verify: deps.hireState.verify } }
  const server = new McpServer({ name: 'agent-marketplace', version: '1' }, options)
  for (const tool of tools) registerTool(server, tool, deps)
  registerHire(server, deps)
  registerResources(server, deps)
  registerPrompts(server)
  return server
}

const registerTool = (server: McpServer, tool: ToolEntry, deps: ToolDeps) => {
  const { name, title, operation, annotations, list } = tool
  const inputSchema = objectSchema.parse(operation.input)
  const outputSchema = list ? z.object({ [list]: operation.output }) : objectSchema.parse(operation.output)
  server.registerTool(name, { title, description: operation.summary, inputSchema, outputSchema, annotations }, input =>
    answer(deps, async () => {
      const output = await deps.call(operation, input)
      return list ? { [list]: output } : output
    }),
  )
}
