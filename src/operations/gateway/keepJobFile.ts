import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import type { FileRow } from '../../ports.ts'
import { fileRecord } from '../../records/file.ts'
import { isUploadUrlOf, type LinkParts, linkParts } from '../files/fileLinks.ts'
import { keepUpload, upload } from '../files/keepUpload.ts'
import { type Caller, type Deps, operation } from '../operation.ts'
import { isProvenFor, makeStrict } from './access.ts'

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

/**
 * The job for which somebody uploads a file: with the token of the agent's owner, with its secret, or by the address that came
 * with the lease. The file belongs to the owner.
 * @param of.bytes those of the new file, if its sender announces them
 * @throws Problem job-not-found, unauthenticated, job-already-closed, too-many-kept
 */
export const findUploadJob = async (
  deps: Deps,
  { jobId, bytes = 0, link }: { jobId: string; bytes?: number | undefined; link: LinkParts },
  caller: Caller,
): Promise<Pick<FileRow, 'owner'> & { jobId: string }> => {
  const job = await deps.store.job(jobId)
  if (!job) throw new Problem('job-not-found')
  const known = await deps.gateway.access.find(job.agentId)
  const isProven = isProvenFor(known, caller)
  if (!known.agent || !(isProven || (await isUploadUrlOf(deps, job, link))))
    throw new Problem(caller.wallet || caller.agentKey ? 'job-not-found' : 'unauthenticated')
  if (isProven) await makeStrict(deps, known)
  deps.gateway.presence.see(job.agentId)
  if (job.state !== 'leased' && job.state !== 'queued') throw new Problem('job-already-closed')
  const before = await deps.store.filesForJob(job.id)
  const all = before.reduce((sum, it) => sum + it.bytes, bytes)
  if (before.length > limits.filesOfJob || all > limits.fileBytesOfJob) throw new Problem('too-many-kept', tooMany)
  return { jobId: job.id, owner: known.agent.owner }
}

const tooMany = `A job has at most ${limits.filesOfJob} files with ${limits.fileBytesOfJob / 1_024 ** 2} MiB.`
