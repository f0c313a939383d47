import type { CallToolResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { Problem } from '../domain/problem.ts'
import type { Operation } from '../operations/operation.ts'

/** Does an operation for the caller that this server speaks for: in this process, or over HTTP. */
export type Call = (operation: Operation, input: unknown) => Promise<unknown>

export type ToolDeps = { call: Call; log(error: unknown): void }

const structured = z.record(z.string(), z.unknown())

/** The result of a tool: what the work gives, or a problem by its name. */
export const answer = async ({ log }: Pick<ToolDeps, 'log'>, work: () => Promise<unknown>): Promise<CallToolResult> => {
  try {
    const output = await work()
    return { content: [{ type: 'text', text: JSON.stringify(output) }], structuredContent: structured.parse(output) }
  } catch (error) {
    const { type, detail } = error instanceof Problem ? error : unexpected(error, log)
    return { isError: true, content: [{ type: 'text', text: `${type}: ${detail}` }] }
  }
}

/** What is not ours to tell is logged; the protocol's library would hand its words to the client. */
const unexpected = (error: unknown, log: ToolDeps['log']): Problem => {
  log(error)
  return new Problem('internal')
}
