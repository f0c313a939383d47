import { z } from 'zod'
import type { Address } from '../../domain/hex.ts'
import { type PostedJobState, postedJobState } from '../../domain/jobBoard/postedJob.ts'
import { type Json, json, jsonObject } from '../../domain/json.ts'
import { flag, jsonText, maybe, type RowOf } from '../../ports/rows/columns.ts'
import type { Tables } from '../../ports.ts'

export const boardRow = {
  id: z.string(),
  chainId: z.number(),
  state: postedJobState,
  description: z.string(),
  /** Decimal text. */
  rewardAmount: z.string(),
  rewardToken: z.string(),
  clientId: z.string(),
  providerId: z.string(),
  providerKey: z.string(),
  expiresAt: z.number(),
  createdAt: z.number(),
}
export type BoardRow = RowOf<typeof boardRow>

/** A job posted on the board. Names of people are kept as given; `…Key` is the wallet that the name contains, if any. */
export const postedJobRow = {
  ...boardRow,
  clientKey: z.string(),
  /** The poster proved control of the client's wallet, so only the client's token may act on it. */
  isProven: flag,
  /** The provider proved control of the wallet that it names. */
  isProviderProven: flag,
  evaluatorId: z.string(),
  evaluatorKey: z.string(),
  metadata: maybe(jsonText(jsonObject)).transform(it => it ?? {}),
  deliverable: maybe(jsonText(json)),
  reason: z.string(),
  updatedAt: z.number(),
}
export type PostedJob = RowOf<typeof postedJobRow>

/** `now` in epoch ms decides what has expired; `query` is searched in the description, ignoring letter case. */
export type BoardFilter = { now: number; chainId?: number; status?: 'open' | 'closed' | 'fulfilled'; query?: string }
export type PostedJobCounts = { ofWallet: number; ofAddress: number; ofStrangers: number; ofUsers: number }
export type NewPostedJob = Omit<PostedJob, 'isProviderProven' | 'state' | 'deliverable' | 'reason' | 'createdAt' | 'updatedAt'>
export type PostedJobPatch = Partial<Pick<PostedJob, 'providerId' | 'providerKey' | 'isProviderProven' | 'reason'>> & {
  deliverable?: Json
}

export type PostedJobTables = {
  addPostedJob(posting: NewPostedJob & { source: string | undefined }): Promise<PostedJob>
  /** Number of stored posted jobs. It takes a lock until the transaction ends. */
  lockPostedJobCounts(of: { wallet: Address | undefined; source: string | undefined }): Promise<PostedJobCounts>
  postedJob(id: string): Promise<PostedJob | undefined>
  /** Moves a posted job in one conditional write: only from these states, before it expires, and only for its provider. */
  movePostedJob(
    id: string,
    move: { from: PostedJobState[]; to: PostedJobState; patch: PostedJobPatch },
  ): Promise<PostedJob | undefined>
  board(filter: BoardFilter & { limit: number; offset: number }): Promise<{ page: BoardRow[]; total: number }>
  /**
   * Posted jobs of one user, newest first. The client or the provider must have proved its wallet, or be the client of a job
   * that names its evaluator. Long deliverables are left out.
   */
  postedJobsOf(of: {
    wallet: Address
    role: 'client' | 'provider' | 'evaluator'
    chainId?: number
    limit: number
  }): Promise<PostedJob[]>
}

export const boardOf = (tables: Tables): PostedJobTables => tables as Tables & PostedJobTables
