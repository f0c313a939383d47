import { z } from 'zod'
import { noticeRecord } from '../../records/notice.ts'
import { operation, userOf } from '../operation.ts'

const mostRows = 100

export const listNotices = operation({
  name: 'listNotices',
  summary: 'What changed in who may use your account, what was withdrawn, and what came in, newest first.',
  caller: 'user',
  scope: 'look',
  input: z.object({ limit: z.coerce.number().int().min(1).max(mostRows).default(20) }),
  output: z.object({ notices: z.array(noticeRecord) }),

  async run({ limit }, { store }, caller) {
    const found = await store.notices({ wallet: userOf(caller), limit })
    return {
      notices: found.map(it => ({
        notice_id: String(it.seq),
        kind: it.kind,
        text: it.text,
        at: new Date(it.createdAt).toISOString(),
      })),
    }
  },
})
