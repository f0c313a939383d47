import { z } from 'zod'
import { fileRecord } from '../../records/file.ts'
import { operation, userOf } from '../operation.ts'
import { toFileRecord } from './fileRecord.ts'

const mostRows = 100

export const listFiles = operation({
  name: 'listFiles',
  summary: 'Your uploaded files, newest first.',
  scope: 'look',
  input: z.object({
    limit: z.coerce.number().int().min(1).max(mostRows).default(50),
    before: z.coerce.number().int().min(1).optional().describe('`next` of the page before'),
  }),
  output: z.object({ files: z.array(fileRecord), next: z.number().nullable().describe('null on the last page') }),

  async run({ limit, before }, { store }, caller) {
    const found = await store.files({ owner: userOf(caller), before, limit: limit + 1 })
    const page = found.slice(0, limit)
    const used = await store.usedFiles(page.map(it => it.id))
    return {
      files: page.map(it => toFileRecord(it, used.has(it.id))),
      next: found.length > limit ? (page.at(-1)?.seq ?? null) : null,
    }
  },
})
