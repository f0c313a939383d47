import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { appealText } from '../../domain/runTexts/payments.ts'
import type { Job, Tables } from '../../ports.ts'
import { operation, userOf } from '../operation.ts'
import { ownRun } from './readRun.ts'

/**
 * Records an appeal against an accepted deliverable, with an event in the run's log. Returns false when no appeal is possible.
 */
export const appealJob = async (
  tables: Tables,
  { id }: Job,
  { runId, reason }: { runId: string; reason: string },
): Promise<boolean> => {
  const disputed = await tables.disputeJob(id, { reason, withinMs: limits.appealMs })
  // Clients repeat a request after a lost response: the same reason gets the same response.
  if (!disputed && (await tables.job(id))?.dispute !== reason) return false
  await tables.addRunEvent(runId, { kind: 'disputed', summary: appealText, data: { job_id: id }, key: 'disputed' })
  return true
}

/**
 * An accepted deliverable is paid within seconds, and the escrow cannot return the money, so an appeal moves no money. It is
 * recorded, and the deliverable counts against the agent as not accepted.
 */
export const appealRun = operation({
  name: 'appealRun',
  summary:
    "Appeal an accepted deliverable, once and within seven days. The payment stays; the appeal lowers the agent's reputation.",
  scope: 'hire',
  input: z.object({ run_id: z.string().max(100), reason: z.string().trim().min(1).max(limits.appealChars) }),
  output: z.object({ run_id: z.string(), job_id: z.string(), state: z.literal('recorded'), reason: z.string() }),

  async run({ run_id, reason }, deps, caller) {
    const { id, jobId } = await ownRun(deps, run_id, caller)
    const before = jobId === undefined ? undefined : await deps.store.job(jobId)
    if (!before) throw new Problem('not-appealable', 'Nothing was hired in this run.')
    if (before.user !== userOf(caller)) throw new Problem('run-not-found')
    return deps.store.atomically(async tables => {
      if (!(await appealJob(tables, before, { runId: id, reason }))) throw new Problem('not-appealable')
      return { run_id: id, job_id: before.id, state: 'recorded' as const, reason }
    })
  },
})
