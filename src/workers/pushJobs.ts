import { limits } from '../domain/limits.ts'
import { Problem } from '../domain/problem.ts'
import { postA2a, postInvoke, type Said, toSaid, toSendRequest } from '../operations/gateway/callAgent.ts'
import { completionInput, takeCompletion } from '../operations/gateway/completeJob.ts'
import { toRevision } from '../operations/gateway/revision.ts'
import { type Deps, parseInput } from '../operations/operation.ts'
import type { Job } from '../ports.ts'
import type { Worker } from './loop.ts'

type Reach = Pick<Deps, 'store' | 'chains' | 'gateway' | 'hints' | 'clock'> & { onError(worker: string, error: unknown): void }
type Due = Awaited<ReturnType<Deps['store']['pushableJobs']>>[number]

/** Calls side by side; each waits for a stranger. */
const atOnce = 32

/**
 * Sends jobs to agents with an address of their own. A call that fails leaves the job with nobody: an agent that polls gets it
 * at once, under the same lease; otherwise it is sent again, up to `limits.pushes` times a delivery, each pause four times the one
 * before.
 */
export const pushJobs = (deps: Reach): Worker => {
  const busy = new Set<Promise<void>>()
  const ending = new AbortController()
  const start = (due: Due) => {
    const work = pushJob(deps, due, ending.signal)
      .catch((error: unknown) => deps.onError('pushJobs', error))
      .finally(() => {
        if (busy.size === atOnce) deps.hints.notify('pushes')
        busy.delete(work)
      })
    busy.add(work)
  }
  return {
    name: 'pushJobs',
    channel: 'pushes',
    idleMs: 500,
    async runOnce() {
      const due = busy.size < atOnce ? await deps.store.pushableJobs(atOnce - busy.size) : []
      due.forEach(start)
      return false
    },
    settle: async () => {
      ending.abort()
      await Promise.all(busy)
    },
  }
}

const leastPauseMs = 1_000

/** The first pauses are short, for an agent that restarts; the last one is a fourth of the promise. */
export const toPauseMs = (leftMs: number, pushes: number): number =>
  Math.max(leastPauseMs, leftMs / 4 ** (limits.pushes - 1 - pushes))

/** Sends one job once; resolves when its answer was taken or the job is with nobody again. */
export const pushJob = async (deps: Omit<Reach, 'onError' | 'hints'>, due: Due, signal: AbortSignal): Promise<void> => {
  const endpoint = (await deps.store.agent(due.agentId))?.endpointUrl
  if (!endpoint) return
  const pauseMs = toPauseMs(due.submitBy - deps.clock.now(), due.pushes)
  const job = await deps.store.leasePush(due.agentId, due.id, pauseMs)
  if (!job) return
  try {
    const said = await call({ dialer: deps.gateway.dialer, endpoint, signal }, job)
    deps.gateway.presence.see(job.agentId)
    await takeCompletion(job, parseInput(completionInput, { job_id: job.id, ...said }), deps)
  } catch (error) {
    await deps.store.setAdrift(job.id, job.attempt)
    // A stranger's failure is no failure of ours.
    if (!(error instanceof Problem)) throw error
  }
}

const call = async (at: Parameters<typeof postInvoke>[0], job: Job): Promise<Said> => {
  const context = { run_id: job.runId, job_id: job.id, chain_id: job.chainId, ...toRevision(job) }
  const said = await postInvoke(at, { message: job.terms.input, context })
  if (said) return said
  const answer = await postA2a(at, toSendRequest(job.id, job.terms.input, context))
  if (!answer) throw new Problem('agent-unreachable')
  return toSaid(answer)
}
