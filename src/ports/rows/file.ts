import { z } from 'zod'
import { address } from '../../domain/hex.ts'
import { maybe, type RowOf } from './columns.ts'

/** A kept file. `declaredType` is what its sender said where its bytes say something else. */
export const fileRow = {
  seq: z.number(),
  id: z.string(),
  owner: address,
  /** The job for which an agent uploaded it. */
  jobId: maybe(z.string()),
  sha256: z.string(),
  bytes: z.number(),
  mediaType: z.string(),
  declaredType: maybe(z.string()),
  name: z.string(),
  sealed: z.string(),
  createdAt: z.number(),
  /** Epoch ms after which it goes, unless a job refers to it. */
  expiresAt: z.number(),
}
export type FileRow = RowOf<typeof fileRow>
