import { z } from 'zod'
import { operation } from '../operation.ts'
import { findUpload, linkParts } from './findUpload.ts'

export const giveUpUpload = operation({
  name: 'giveUpUpload',
  summary: 'Give up an upload in parts. A file that it has become stays.',
  caller: 'anyone',
  scope: 'hire',
  input: z.object({ upload_id: z.string().max(100), ...linkParts }),
  output: z.object({ upload_id: z.string() }),

  async run({ upload_id: id, ...link }, deps, caller) {
    await findUpload(deps, { id, link }, caller)
    await deps.files.remove(await deps.store.endUpload(id, undefined))
    return { upload_id: id }
  },
  responseOf: () => ({ status: 204, headers: {} }),
})
