import { z } from 'zod'
import { fileRecord } from '../../records/file.ts'
import { linkParts } from '../files/fileLinks.ts'
import { keepUpload, upload } from '../files/keepUpload.ts'
import { operation } from '../operation.ts'
import { findUploadJob } from './uploadJob.ts'

export const keepJobFile = operation({
  name: 'keepJobFile',
  summary:
    'Upload a file for a leased job, before its completion names it. Needs the token of the owner, the secret of the agent, ' +
    'or the `upload_url` that came with the lease. ' +
    'The same bytes under the same name are one file.',
  caller: 'anyone',
  scope: 'sell',
  input: z.object({ job_id: z.string().max(100), name: z.string().optional(), ...linkParts, upload }),
  output: fileRecord,

  async run({ job_id, name, upload: given, ...link }, deps, caller) {
    const of = await findUploadJob(deps, { jobId: job_id, bytes: given.length, link }, caller)
    return keepUpload(deps, { upload: given, name, ...of })
  },
})
