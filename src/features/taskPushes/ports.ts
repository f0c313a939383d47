import { z } from 'zod'
import { type Address, address } from '../../domain/hex.ts'
import type { RowOf } from '../../ports/rows/columns.ts'
import type { Tables } from '../../ports.ts'

/**
 * An address that is told of a task. `sealed` is what the receiver recognises the service by. What happened in the run up to
 * `toldSeq` was told. `version` is that of A2A in which it was asked for.
 */
export const taskPushRow = {
  id: z.string(),
  runId: z.string(),
  wallet: address,
  url: z.string(),
  sealed: z.string(),
  version: z.enum(['1.0', '0.3']),
  toldSeq: z.number(),
  tries: z.number(),
  createdAt: z.number(),
}
export type TaskPush = RowOf<typeof taskPushRow>

type Key = Pick<TaskPush, 'id' | 'runId'>
type Most = { ofTask: number; ofWallet: number; ofAll: number }

export type TaskPushTables = {
  /** Adds an address or replaces the one of this id. False where the task, the wallet or the service has too many. */
  keepTaskPush(push: Omit<TaskPush, 'tries' | 'createdAt'>, most: Most): Promise<boolean>
  taskPushesOf(runId: string): Promise<TaskPush[]>
  dropTaskPush(key: Key): Promise<boolean>
  /** Addresses whose task waits for its user or has ended since they were told. */
  dueTaskPushes(limit: number): Promise<TaskPush[]>
  /** What happened up to `seq` was told, or given up. */
  taskTold(key: Key, seq: number): Promise<void>
  /** The next attempt is made after `pauseMs`. */
  postponeTaskPush(key: Key, pauseMs: number): Promise<void>
  forgetTaskPushes(wallet: Address): Promise<void>
  taskPushesOfWallet(wallet: Address): Promise<TaskPush[]>
}

export const taskPushTables = (tables: object): TaskPushTables => tables as Tables & TaskPushTables
