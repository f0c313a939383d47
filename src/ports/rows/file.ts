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

/** An upload that comes in parts. */
export const uploadRow = {
  id: z.string(),
  owner: address,
  jobId: maybe(z.string()),
  name: z.string(),
  declaredType: maybe(z.string()),
  bytes: z.number(),
  /** The file that it has become. */
  fileId: maybe(z.string()),
  expiresAt: z.number(),
}
export type UploadRow = RowOf<typeof uploadRow>

/** A part of an upload: its bytes begin at `start`. It is kept like a file, with its own id. */
export const partRow = { uploadId: z.string(), start: z.number(), id: z.string(), bytes: z.number(), sealed: z.string() }
export type PartRow = RowOf<typeof partRow>
