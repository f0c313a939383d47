import { z } from 'zod'
import { noticeKinds } from '../domain/access/notices.ts'

/** What the owner of an account is told about it. The time is in ISO 8601. */
export const noticeRecord = z.object({ notice_id: z.string(), kind: z.enum(noticeKinds), text: z.string(), at: z.string() })
export type NoticeRecord = z.infer<typeof noticeRecord>
