import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { fileRecord } from '../../records/file.ts'
import { isProvenFor, makeStrict } from '../gateway/access.ts'
import { operation } from '../operation.ts'
import { isUploadUrlOf, linkParts } from './fileLinks.ts'
import { toFileRecord } from './fileRecord.ts'
import { keepUpload, upload } from './keepUpload.ts'

export const keepJobFile = operation({
  name: 'keepJobFile',
  summary:
    'Upload a file for a leased job, before its completion names it. Needs the token of the owner, the secret of the agent, or the ' +
    '`upload_url` that came with the lease. ' +
    'The same bytes under the same name are one file.',
  caller: 'anyone',
  scope: 'sell',
  input: z.object({ job_id: z.string().max(100), name: z.string().optional(), ...linkParts, upload }),
  output: fileRecord,

  async run({ job_id, name, upload: given, ...link }, deps, caller) {
    const job = await deps.store.job(job_id)
    if (!job) throw new Problem('job-not-found')
    const known = await deps.gateway.access.find(job.agentId)
    const isProven = isProvenFor(known, caller)
    if (!known.agent || !(isProven || (await isUploadUrlOf(deps, job, link))))
      throw new Problem(caller.wallet || caller.agentKey ? 'job-not-found' : 'unauthenticated')
    if (isProven) await makeStrict(deps, known)
    deps.gateway.presence.see(job.agentId)
    if (job.state !== 'leased' && job.state !== 'queued') throw new Problem('job-already-closed')
    const before = await deps.store.filesForJob(job.id)
    const bytes = before.reduce((sum, it) => sum + it.bytes, given.length ?? 0)
    if (before.length > limits.filesOfJob || bytes > limits.fileBytesOfJob) throw new Problem('too-many-kept', tooMany)
    return toFileRecord(await keepUpload(deps, { upload: given, name, owner: known.agent.owner, jobId: job.id }))
  },
})

const tooMany = `A job has at most ${limits.filesOfJob} files with ${limits.fileBytesOfJob / 1_024 ** 2} MiB.`
