import { z } from 'zod'
import { Problem } from '../../domain/problem.ts'
import { operation, userOf } from '../operation.ts'

export const removeFile = operation({
  name: 'removeFile',
  summary: 'Remove a file of yours that no job refers to.',
  scope: 'hire',
  input: z.object({ file_id: z.string().max(100) }),
  output: z.object({ file_id: z.string(), removed: z.boolean() }),

  async run({ file_id }, { store, files }, caller) {
    const file = await store.file(file_id)
    if (file?.owner !== userOf(caller)) throw new Problem('file-not-found')
    if (await store.removeFile(file_id)) await files.remove([file_id])
    else if ((await store.usedFiles([file_id])).has(file_id)) throw new Problem('file-in-use')
    return { file_id, removed: true }
  },
})
