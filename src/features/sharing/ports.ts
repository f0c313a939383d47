import { z } from 'zod'
import { type Address, address } from '../../domain/hex.ts'
import type { RowOf } from '../../ports/rows/columns.ts'
import type { Tables } from '../../ports.ts'

/** A link to the result of a run. `token` is random: knowing it is the permission to read. */
export const shareRow = { token: z.string(), wallet: address, runId: z.string(), createdAt: z.number() }
export type Share = RowOf<typeof shareRow>

export type ShareTables = {
  /** Adds a link, or returns the one that the run has. Undefined when its wallet has `most` others. */
  addShare(share: Omit<Share, 'createdAt'>, most: number): Promise<Share | undefined>
  share(token: string): Promise<Share | undefined>
  sharesOf(wallet: Address): Promise<Share[]>
  /** Withdraws a link. False when there is none, or it is another wallet's. */
  endShare(token: string, wallet: Address): Promise<boolean>
  forgetShares(wallet: Address): Promise<void>
}

export const shareTables = (tables: object): ShareTables => tables as Tables & ShareTables
