import { z } from 'zod'
import { sentDigest } from '../../domain/consent/sentDigest.ts'
import { Problem } from '../../domain/problem.ts'
import { replacedKey, toDigest } from '../../domain/runs/proposal.ts'
import type { Job, Run, RunInput } from '../../ports.ts'
import { runRecord } from '../../records/run.ts'
import { type Deps, operation } from '../operation.ts'
import { AnsweredBefore, answerInterrupt } from '../runs/answerInterrupt.ts'
import { awaitRun, waitMs } from '../runs/awaitRun.ts'
import { ownRun } from '../runs/readRun.ts'
import { readRunRecord } from '../runs/runRecord.ts'
import { demandPasskeyFor } from './yesLimit.ts'

const decision = z.enum(['yes', 'no'])

export const confirmHire = operation({
  name: 'confirmHire',
  summary:
    "Answer a proposal with the user's own yes or no. " +
    'A yes pays the proposed total into escrow, or to the payee of a purchase; ' +
    'it is only valid for the terms with this digest.',
  scope: 'hire',
  repeats: 'same',
  isYes: ({ decision }) => decision === 'yes',
  input: z.object({
    run_id: z.string().max(100),
    digest: sentDigest.describe('The digest of the proposal that the user has seen'),
    decision: decision.describe('The answer of the user'),
    wait_ms: waitMs,
  }),
  output: runRecord,

  async run({ run_id, digest, decision, wait_ms }, deps, caller) {
    const answer = { digest, decision, passkeyAnswer: caller.passkeyAnswer }
    await answerProposal(await ownRun(deps, run_id, caller), answer, deps)
    const run = await awaitRun(deps, run_id, { deadline: deps.clock.now() + wait_ms, caller })
    return readRunRecord(deps, run)
  },
})

type Answer = { digest: string; decision: z.infer<typeof decision>; passkeyAnswer?: string | undefined }

export const answerProposal = async (run: Run, { passkeyAnswer, ...answer }: Answer, deps: Deps) => {
  const { store, clock } = deps
  const { interruptId, proposal } = run
  if (run.state !== 'awaiting-confirmation' || !interruptId || !proposal) return checkRepeated(run, answer, store)
  if (proposal.digest !== answer.digest) throw new Problem('proposal-changed')
  if (answer.decision === 'yes' && proposal.lapsesAt < clock.now())
    throw new Problem('proposal-expired', 'Ask for the task again.')
  if (answer.decision === 'yes') await demandPasskeyFor(deps, run, passkeyAnswer)
  const input: RunInput = { kind: 'decision', ...answer, text: answer.decision }
  try {
    return await store.atomically(tables => answerInterrupt(tables, { runId: run.id, interruptId, input }))
  } catch (error) {
    if (!(error instanceof AnsweredBefore)) throw error
  }
  const stands = await store.runInput(run.id, interruptId)
  if (stands?.kind !== 'decision' || stands.decision !== answer.decision)
    throw new Problem('nothing-proposed', 'The proposal was already answered.')
}

/** The digest of the purchase that the user consented to in this run. */
const agreedPurchase = async ({ id }: Run, store: Deps['store']): Promise<string | undefined> => {
  const purchase = await store.purchase?.(id)
  return purchase?.agreedAt === undefined ? undefined : purchase.digest
}

/** The digest of the plan that the user consented to in this run. */
const agreedPlan = async ({ id }: Run, store: Deps['store']): Promise<string | undefined> => {
  const stored = await store.plan(id)
  return stored?.agreedAt === undefined ? undefined : stored.plan.digest
}

/** Whether the job of a run has these terms. The yes to a job of an earlier release has a shorter digest. */
const isOfJob = async (job: Job, digest: string, store: Deps['store']): Promise<boolean> =>
  toDigest(job.terms) === digest || (await store.consents(job.runId)).includes(digest)

/** A repeated consent to the same terms gets the result of the first. */
const checkRepeated = async (run: Run, { digest, decision }: Answer, store: Deps['store']) => {
  const job = await store.jobOfRun(run.id)
  if (!job && (await store.runInput(run.id, replacedKey)))
    throw new Problem('proposal-changed', 'A newer proposal of the conversation took the place of this one.')
  // Before the job is opened, the run still holds the answered proposal.
  const agreed = job ? undefined : (run.proposal?.digest ?? (await agreedPlan(run, store)) ?? (await agreedPurchase(run, store)))
  if ((!job && !agreed) || decision === 'no') throw new Problem('nothing-proposed')
  if (job ? !(await isOfJob(job, digest, store)) : agreed !== digest) throw new Problem('proposal-changed')
}
