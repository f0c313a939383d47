import { z } from 'zod'
import { nobody } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { toDigest } from '../../domain/runs/proposal.ts'
import type { Run } from '../../ports.ts'
import { approvalRequest } from '../../records/approval.ts'
import { type Deps, operation } from '../operation.ts'
import { isResting } from '../runs/awaitRun.ts'
import { ownRun } from '../runs/readRun.ts'
import { readRunRecord } from '../runs/runRecord.ts'
import { waitUntil } from '../waiting.ts'
import { toApprovalUrl } from './openApproval.ts'

export const requestApproval = operation({
  name: 'requestApproval',
  summary:
    'The address of the page where the user answers a proposal, for a program that must not answer it. ' +
    'It waits for the answer and the result.',
  scope: 'hire',
  input: z.object({
    run_id: z.string().max(100),
    digest: z.string().max(100).describe('The digest of the proposal that the user has seen'),
    wait_ms: z.number().int().min(0).max(limits.invokeWaitMs).default(0).describe('Milliseconds to wait for the answer'),
  }),
  output: approvalRequest,

  async run({ run_id, digest, wait_ms }, deps, caller) {
    const asked = await ownRun(deps, run_id, caller)
    if (asked.user === nobody) throw new Problem('run-not-found')
    await checkTerms(deps, asked, digest)
    caller.onRun?.(run_id)
    const at = { channel: `rest:${run_id}`, deadline: deps.clock.now() + wait_ms, signal: caller.signal }
    const rested = await waitUntil(deps, at, async () => {
      const run = await deps.store.run(run_id)
      return run && isResting(run) && !isWaiting(run, digest) ? run : undefined
    })
    const run = rested ?? (await deps.store.run(run_id)) ?? asked
    const record = await readRunRecord(deps, run)
    const url = run.proposal && isWaiting(run, run.proposal.digest) ? toApprovalUrl(deps, run, run.proposal) : undefined
    return { ...(url !== undefined && { approve_url: url }), run: record }
  },
})

const isWaiting = ({ state, proposal }: Run, digest: string) => state === 'awaiting-confirmation' && proposal?.digest === digest

/** @throws Problem proposal-changed, proposal-expired */
const checkTerms = async ({ store, clock }: Deps, run: Run, digest: string): Promise<void> => {
  const { proposal, state } = run
  const job = run.jobId === undefined ? undefined : await store.job(run.jobId)
  const agreed = job ? toDigest(job.terms) : proposal?.digest
  if (agreed !== undefined && agreed !== digest) throw new Problem('proposal-changed')
  if (state === 'awaiting-confirmation' && proposal && proposal.lapsesAt < clock.now())
    throw new Problem('proposal-expired', 'Ask for the task again.')
}
