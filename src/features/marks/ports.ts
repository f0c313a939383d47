import { z } from 'zod'
import type { AgentId } from '../../domain/agents/agentId.ts'
import type { Address } from '../../domain/hex.ts'
import type { RowOf } from '../../ports/rows/columns.ts'
import type { AgentReport, Tables } from '../../ports.ts'

export const markRow = { agentId: z.string(), mark: z.enum(['favourite', 'blocked']), at: z.number() }
export type Mark = RowOf<typeof markRow>

type Most = { ofWallet: number; ofAll: number }

export type MarkTables = {
  /** Marks an agent, in place of an earlier mark. False when the wallet has `most` others. */
  setMark(wallet: Address, of: Pick<Mark, 'agentId' | 'mark'>, most: number): Promise<boolean>
  dropMark(wallet: Address, agentId: AgentId): Promise<boolean>
  marksOf(wallet: Address): Promise<Mark[]>
  blockedBy(wallet: Address): Promise<ReadonlySet<AgentId>>
  /** Adds a report, in place of an earlier one of this wallet about the agent. False when there are too many others. */
  addReport(report: Omit<AgentReport, 'at'> & { id: string; wallet: Address }, most: Most): Promise<boolean>
  reportsOf(wallet: Address): Promise<AgentReport[]>
  newestReports(limit: number): Promise<AgentReport[]>
  forgetMarks(wallet: Address): Promise<void>
}

export const markTables = (tables: object): MarkTables => tables as Tables & MarkTables
