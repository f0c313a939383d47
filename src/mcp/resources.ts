import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import { decodePart } from '../domain/net/decodePart.ts'
import { Problem, problems } from '../domain/problem.ts'
import { readJob } from '../operations/jobs/readJobs.ts'
import { readService } from '../operations/market/services.ts'
import type { Operation } from '../operations/operation.ts'
import { readPayments } from '../operations/runs/readPayments.ts'
import { readRun } from '../operations/runs/readRun.ts'
import type { ToolDeps } from './answer.ts'

type ResourceEntry = { name: string; title: string; uri: string; member: string; operation: Operation }

/** The MCP resources. Each is read with its operation's own permission check. */
const resources: readonly ResourceEntry[] = [
  { name: 'offering', title: 'An offering', uri: 'market://offerings/{id}', member: 'service_id', operation: readService },
  { name: 'run', title: 'A run', uri: 'market://runs/{id}', member: 'run_id', operation: readRun },
  { name: 'job', title: 'A job', uri: 'market://jobs/{id}', member: 'job_id', operation: readJob },
  { name: 'receipt', title: 'The payments of a run', uri: 'market://receipts/{id}', member: 'run_id', operation: readPayments },
]

/** What is not there, or not for this user, is told as MCP tells it, and not as a failure of the service. */
const orNotFound =
  (uri: string) =>
  (error: unknown): never => {
    if (error instanceof Problem && problems[error.type][0] === 404) throw new ResourceNotFoundError(uri, error.detail)
    throw error
  }

export const registerResources = (server: McpServer, { call }: Pick<ToolDeps, 'call'>) => {
  for (const { name, title, uri, member, operation } of resources)
    server.registerResource(
      name,
      new ResourceTemplate(uri, { list: undefined }),
      { title, description: operation.summary, mimeType: 'application/json' },
      async (at, { id }) => {
        const read = await call(operation, { [member]: decodePart(String(id)) ?? String(id) }).catch(orNotFound(at.href))
        return { contents: [{ uri: at.href, mimeType: 'application/json', text: JSON.stringify(read) }] }
      },
    )
}
