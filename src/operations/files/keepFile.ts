import { z } from 'zod'
import { fileRecord } from '../../records/file.ts'
import { operation, userOf } from '../operation.ts'
import { keepUpload, upload } from './keepUpload.ts'

export const keepFile = operation({
  name: 'keepFile',
  summary: 'Upload a file, to name it in a task. It goes after seven days, unless a job refers to it.',
  scope: 'hire',
  input: z.object({ name: z.string().optional().describe('Its name; else that of the header Content-Disposition'), upload }),
  output: fileRecord,

  async run({ name, upload: given }, deps, caller) {
    return keepUpload(deps, { upload: given, name, owner: userOf(caller) })
  },
})
