import { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { nobody } from '../../domain/hex.ts'
import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import { toDigest } from '../../domain/runs/proposal.ts'
import type { ProposedTerms } from '../../domain/x402/purchaseProposal.ts'
import type { Run } from '../../ports.ts'
import { approvalRecord, approvalRequest } from '../../records/approval.ts'
import { accessOf, type Deps, operation, userOf } from '../operation.ts'
import { isResting } from '../runs/awaitRun.ts'
import { ownRun } from '../runs/readRun.ts'
import { readRunRecord } from '../runs/runRecord.ts'
import { waitUntil } from '../waiting.ts'

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

const input = z.object({ run_id: z.string().max(100), code: z.string().max(100).describe('From the address of the page') })

export const readApproval = operation({
  name: 'readApproval',
  summary: 'The run whose proposal is answered at an address of requestApproval. Only its user reads it.',
  input,
  output: approvalRecord,

  async run(asked, deps, caller) {
    const { run, endsAt } = await approvalOf(deps, asked)
    if (run.user !== userOf(caller)) throw unknown()
    const { id, conversationId, chainId } = run
    return { run_id: id, conversation_id: conversationId, chain_id: chainId, expires_at: toIso(endsAt) }
  },
})

export const openAsDemo = operation({
  name: 'openAsDemo',
  summary: 'Get a token of a day for the demo user by an address of requestApproval (local service only).',
  caller: 'anyone',
  input,
  output: z.object({ token: z.string(), expires_at: z.string() }),

  async run(asked, deps) {
    const { run } = await approvalOf(deps, asked)
    if (!isDemo(deps, run)) throw unknown()
    const { token, expiresAt } = await accessOf(deps).issueForADay(run.user)
    return { token, expires_at: toIso(expiresAt) }
  },
})

const unknown = () => new Problem('not-found', 'This address is unknown, has ended, or belongs to another user.')

/** @throws Problem not-found, with the same words for every reason, so that a stranger learns nothing */
const approvalOf = async (deps: Deps, { run_id, code }: z.infer<typeof input>): Promise<{ run: Run; endsAt: number }> => {
  const run = await deps.store.run(run_id)
  const endsAt = run && endOfApproval(deps, run, code)
  if (!run || endsAt === undefined) throw unknown()
  return { run, endsAt }
}

type Asked = Pick<Run, 'id' | 'user'>

const purposeOf = ({ id, user }: Asked) => `approve:${user}:${id}`

/** The URL of the page where the user of a run answers its proposal. It ends with the proposal. */
const toApprovalUrl = (deps: Deps, run: Asked, { lapsesAt }: ProposedTerms): string => {
  const code = accessOf(deps).codeFor(purposeOf(run), lapsesAt)
  const query = new URLSearchParams({ code, ...(isDemo(deps, run) && { demo: '1' }) })
  return `${deps.settings.publicUrl}/app/yes/${encodeURIComponent(run.id)}?${query}`
}

/** Whether the code is that of the URL for this run, and has not ended. */
const endOfApproval = (deps: Deps, run: Asked, code: string): number | undefined => accessOf(deps).endOfCode(code, purposeOf(run))

/** Whether the run belongs to the demo user of the local world, as whom a browser may sign in by the URL. */
const isDemo = ({ settings, demoUser }: Deps, { user }: Asked): boolean => settings.local && user === demoUser?.()
