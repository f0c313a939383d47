import type { AgentId } from '../domain/agents/agentId.ts'
import type { Address } from '../domain/hex.ts'
import type { OpenPage } from '../http/openPage.ts'
import type { Route } from '../http/route.ts'
import type { AskingTool } from '../mcp/server.ts'
import type { ToolEntry } from '../mcp/tool.ts'
import type { AdvanceRun, Buying, OtherJobs, Presence, Selling, Supply, TaskPushes, TokenMoney } from '../operations/deps.ts'
import type { AgentReport, Certificate, Follower, Personal, Tables } from '../ports.ts'
import type { TableGroup } from '../store/tables.ts'
import type { MoreWorkers } from '../workers/moreWorkers.ts'

/**
 * A part of the service that can be left out. It adds its entries to lists of the core, which does not know it. Its folder may
 * import the core, and the folders of the features that it needs.
 */
export type Feature = {
  name: string
  /** Names of the features without which it does not work. The import rule reads them too. */
  needs?: readonly string[]
  routes?: readonly Route[]
  /** A page that strangers open by a link. */
  openPage?: OpenPage
  /** MCP tools that need no yes. */
  tools?: readonly ToolEntry[]
  /** MCP tools that ask the client's user. */
  asking?: readonly AskingTool[]
  /** Statements of its tables. The migrations stay in `store/schema`, because their numbers are one sequence. */
  tables?: readonly TableGroup[]
  /** Its jobs that are no hires. */
  jobs?: OtherJobs
  blockedBy?(tables: Tables, wallet: Address): Promise<ReadonlySet<AgentId>>
  newestReports?(tables: Tables, limit: number): Promise<AgentReport[]>
  /** What it keeps of a person. */
  personal?: readonly Personal[]
  certificatesOf?(tables: Tables, agentIds: AgentId[]): Promise<Certificate[]>
  tokens?: TokenMoney
  presence?: Presence
  selling?: Selling
  buying?: Buying
  supply?: Supply
  taskPushes?: TaskPushes
  /** Advances its runs, which the butler does not advance. */
  advance?: AdvanceRun
  follower?: Follower
  workers?: MoreWorkers
}
