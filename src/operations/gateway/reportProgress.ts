import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import { operation } from '../operation.ts'
import { isProvenFor, makeStrict } from './access.ts'
import { findHeld } from './completeJob.ts'

export const reportProgress = operation({
  name: 'reportProgress',
  summary:
    'Report the progress of a leased job to its client. Needs the token of the owner or the secret of the agent. ' +
    'Only the first fifty texts of a job are kept.',
  caller: 'anyone',
  scope: 'sell',
  input: z.object({ job_id: z.string().max(100), text: z.string().min(1).max(limits.messageChars) }),
  output: z.object({
    job_id: z.string(),
    kept: z.boolean().describe('False when the job is not leased, is a test, or has too many texts'),
  }),

  async run({ job_id, text }, deps, caller) {
    const job = (await deps.store.job(job_id)) ?? (await findHeld(job_id, deps))
    if (!job) throw new Problem('job-not-found')
    const known = await deps.gateway.access.find(job.agentId)
    if (!isProvenFor(known, caller)) throw new Problem(caller.wallet || caller.agentKey ? 'job-not-found' : 'unauthenticated')
    await makeStrict(deps, known)
    deps.gateway.presence.see(job.agentId)
    // A job of a feature has no hirer, so its progress is not stored.
    if (!('runId' in job)) return { job_id: job.id, kept: false }
    const summary = toQuotable(text, limits.progressChars)
    const kept =
      summary !== '' &&
      (await deps.store.atomically(async tables => {
        if ((await tables.job(job.id))?.state !== 'leased') return false
        if ((await tables.countRunEvents(job.runId, 'progress')) >= limits.progressTexts) return false
        await tables.addRunEvent(job.runId, { kind: 'progress', summary, data: { job_id: job.id, agent_id: job.agentId } })
        return true
      }))
    return { job_id: job.id, kept }
  },
})
