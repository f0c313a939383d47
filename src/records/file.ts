import { z } from 'zod'
import { namedFile } from '../domain/files/namedFile.ts'

/** An uploaded file. Times are in ISO 8601. */
export const fileRecord = z.object({
  file_id: z.string(),
  name: z.string().describe('Without paths and without characters that hide or turn text'),
  media_type: z.string().describe('What its bytes show'),
  declared_media_type: z.string().optional().describe('What its sender said, where its bytes show something else'),
  bytes: z.number().int(),
  sha256: z.string().describe('Hex digits'),
  job_id: z.string().optional().describe('The job for which an agent uploaded it'),
  created_at: z.string(),
  expires_at: z.string().nullable().describe('When it goes; null while a job refers to it'),
})
export type FileRecord = z.infer<typeof fileRecord>

export const uploadRecord = z.object({
  upload_id: z.string(),
  name: z.string(),
  bytes: z.number().int().describe('What the file will have'),
  offset: z.number().int().describe('Where the next part begins: so many bytes are here'),
  expires_at: z.string().describe('When what is here goes, unless another part comes'),
  file: fileRecord.nullable().describe('The file, once all bytes are here'),
})
export type UploadRecord = z.infer<typeof uploadRecord>

/** An address of a file that needs no header. */
export const fileLink = z.object({
  url: z.string(),
  expires_at: z.string(),
  made_by: z.string().describe('The wallet or agent whose right to the file the address has'),
})
export type FileLink = z.infer<typeof fileLink>

/** A file of a job's input, as its agent gets it with the lease. */
export const deliveredFile = namedFile.extend({ url: z.string().describe('Works without a header until the lease ends') })
export type DeliveredFile = z.infer<typeof deliveredFile>
