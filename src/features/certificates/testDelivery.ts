import type { z } from 'zod'
import { attemptOf, testDeliveries } from '../../domain/certificates/testDeliveries.ts'
import { examine } from '../../domain/jobs/deliverable.ts'
import { limits } from '../../domain/limits.ts'
import { asProblem, Problem } from '../../domain/problem.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import { postA2a, postInvoke, type Said, toSaid, toSendRequest } from '../../operations/gateway/callAgent.ts'
import { evaluate, failureChars, outcomeOf } from '../../operations/gateway/completeJob.ts'
import { toJobTerms } from '../../operations/gateway/delivery.ts'
import { judgeNow } from '../../operations/hires/judgeDeliverable.ts'
import { type Deps, parseInput } from '../../operations/operation.ts'
import { type Completed, type Completion, completionInput, type jobTerms } from '../../records/delivery.ts'

import { type TestJob, testsOf } from './ports.ts'

type TestState = 'queued' | 'leased' | 'passed' | 'failed' | 'expired'

/** The state of a test job. A deadline that has passed ends it without a write. */
export const testStateOf = ({ endedAt, leasedAt, submitBy, failure, criteria }: TestJob, now: number): TestState => {
  if (endedAt !== undefined) return failure === '' && criteria.every(it => it.outcome !== 'fail') ? 'passed' : 'failed'
  if (submitBy <= now) return 'expired'
  return leasedAt === undefined ? 'queued' : 'leased'
}

export const toTestTerms = ({ offering, submitBy, ...it }: TestJob): z.infer<typeof jobTerms> => ({
  ...toJobTerms({ offering, terms: { price: '0' }, deadlines: { submitBy }, attempt: attemptOf(it), verdict: undefined }),
  test: true,
})

/** A test job in the form that the checks of a deliverable read. The checklist is that of a hire without wishes. */
const toJudged = ({ offering, input }: TestJob) => ({ offering, checklist: [], terms: { input } })

/**
 * Applies a completion to its test job, with the checks of a hire. The first one counts.
 * @throws Problem body-too-large, invalid-input
 */
export const takeTestCompletion = async (
  before: TestJob,
  completion: Completion,
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
): Promise<Completed> => {
  const { deliverable, failure } = outcomeOf(completion)
  const judged = { ...toJudged(before), deliverable }
  const examined = examine(before.offering.deliverable, deliverable)
  const taken = await testsOf(store).endTestJob(
    before.id,
    failure === undefined
      ? { deliverable: deliverable.slice(0, limits.shownDeliverableChars), failure: '', criteria: judgeNow(judged, examined) }
      : { deliverable: undefined, failure: toQuotable(failure, failureChars) || 'no reason given', criteria: [] },
  )
  const now = taken ?? (await testsOf(store).testJob(before.id)) ?? before
  const evaluation = taken && failure === undefined ? evaluate(judged, examined) : undefined
  return {
    job_id: now.id,
    state: testStateOf(now, clock.now()),
    accepted: taken !== undefined,
    ...(evaluation && { evaluation }),
  }
}

/** `signal` ends the call, because the owner has gone. */
type Target = { handle: string; name: string; endpointUrl: string; signal: AbortSignal | undefined }

/** Sends a test job to its agent's own endpoint, once for each delivery, and records the answer or why there is none. */
export const callForTest = async (deps: Deps, job: TestJob, { signal, ...target }: Target): Promise<void> => {
  const lease = () => testsOf(deps.store).leaseTestJob(job.agentId, job.id)
  const first = await lease()
  if (!first) return
  const { gateway, store } = deps
  const at = { dialer: gateway.dialer, endpoint: target.endpointUrl, signal }
  try {
    // An endpoint that does not serve the agent's card is not called: it might belong to somebody else.
    const callee = { ...target, id: job.agentId, owner: job.owner }
    const answers: Said[] = []
    for (let leased: TestJob | undefined = first; leased; leased = await lease()) {
      const delivered = leased
      answers.push(await gateway.direct.call(callee, signal, () => call(at, delivered)))
    }
    gateway.presence.see(job.agentId)
    const said = answers[testDeliveries[job.delivery].losses]
    await takeTestCompletion(first, parseInput(completionInput, { job_id: job.id, ...said }), deps)
  } catch (error) {
    await testsOf(store).endTestJob(job.id, { deliverable: undefined, failure: asProblem(error).detail, criteria: [] })
  }
}

const call = async (at: Parameters<typeof postInvoke>[0], job: TestJob): Promise<Said> => {
  const context = { run_id: job.id, job_id: job.id, chain_id: job.chainId, ...toTestTerms(job) }
  const said = await postInvoke(at, { message: job.input, context })
  if (said) return said
  const answer = await postA2a(at, toSendRequest(job.id, job.input, context))
  if (!answer) throw new Problem('agent-unreachable')
  return toSaid(answer)
}
