import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import type { FileRow } from '../../ports.ts'
import { isUploadUrlOf, type LinkParts } from '../files/fileLinks.ts'
import type { Caller, Deps } from '../operation.ts'
import { isProvenFor, makeStrict } from './access.ts'

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
