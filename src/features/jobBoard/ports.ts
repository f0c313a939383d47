import type { Address } from '../../domain/hex.ts'
import type { PostedJobState } from '../../domain/jobBoard/postedJob.ts'
import type { Json, JsonObject } from '../../domain/json.ts'
import type { Tables } from '../../ports.ts'

/** A job posted on the board. Names of people are kept as given; `…Key` is the wallet that the name contains, if any. */
export type PostedJob = {
  id: string
  chainId: number
  state: PostedJobState
  description: string
  /** Decimal text. */
  rewardAmount: string
  rewardToken: string
  clientId: string
  clientKey: string
  /** The poster proved control of the client's wallet, so only the client's token may act on it. */
  isProven: boolean
  /** The provider proved control of the wallet that it names. */
  isProviderProven: boolean
  providerId: string
  providerKey: string
  evaluatorId: string
  evaluatorKey: string
  metadata: JsonObject
  deliverable: Json | undefined
  reason: string
  expiresAt: number
  createdAt: number
  updatedAt: number
}
/** A posted job as shown on the board. */
export type BoardRow = Omit<
  PostedJob,
  | 'metadata'
  | 'deliverable'
  | 'reason'
  | 'isProven'
  | 'isProviderProven'
  | 'clientKey'
  | 'evaluatorId'
  | 'evaluatorKey'
  | 'updatedAt'
>
/** `now` in epoch ms decides what has expired; `query` is searched in the description, ignoring letter case. */
export type BoardFilter = { now: number; chainId?: number; status?: 'open' | 'closed' | 'fulfilled'; query?: string }
export type PostedJobCounts = { ofWallet: number; ofAddress: number; ofStrangers: number; ofUsers: number }
export type NewPostedJob = Omit<PostedJob, 'isProviderProven' | 'state' | 'deliverable' | 'reason' | 'createdAt' | 'updatedAt'>
export type PostedJobPatch = Partial<
  Pick<PostedJob, 'providerId' | 'providerKey' | 'isProviderProven' | 'deliverable' | 'reason'>
>

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
  /** A page of the board, newest first, and the total count. */
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

/** The tables of the job board, which the feature adds to those of the core. */
export const boardOf = (tables: Tables): PostedJobTables => tables as Tables & PostedJobTables
