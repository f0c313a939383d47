import { limits } from '../domain/limits.ts'
import { Problem } from '../domain/problem.ts'
import { fullyCalled, pickPushes } from '../domain/pushTurns.ts'
import { postA2a, postInvoke, type Said, toSaid, toSendRequest } from '../operations/gateway/callAgent.ts'
import { completionInput, takeCompletion } from '../operations/gateway/completeJob.ts'
import { toJobTerms } from '../operations/gateway/delivery.ts'
import { type Deps, parseInput } from '../operations/operation.ts'
import type { DuePush, Job } from '../ports.ts'
import type { Worker } from './loop.ts'

type Reach = Pick<Deps, 'store' | 'chains' | 'gateway' | 'hints' | 'clock'> & { onError(worker: string, error: unknown): void }

/** Calls side by side; each waits for a stranger. */
const atOnce = 32
/** Due jobs that are compared with each other for the next places. */
const pageRows = 200

/**
 * Sends jobs to agents with an address of their own: paid ones first, then owners and agents in turn, of which each has few calls
 * at once. A call that fails leaves the job with nobody: an agent that polls gets it
 * at once, under the same lease; otherwise it is sent again, up to `limits.pushes` times a delivery, each pause four times the one
 * before.
 */
export const pushJobs = (deps: Reach): Worker => {
  const busy = new Map<Promise<void>, DuePush>()
  const ending = new AbortController()
  const start = (due: DuePush) => {
    const work = pushJob(deps, due, ending.signal)
      .catch((error: unknown) => deps.onError('pushJobs', error))
      .finally(() => {
        busy.delete(work)
        // Jobs for which there was no place wait for this one to end, and nobody wakes them a second time.
        deps.hints.notify('pushes')
      })
    busy.set(work, due)
  }
  return {
    name: 'pushJobs',
    channel: 'pushes',
    idleMs: 500,
    async runOnce() {
      const calling = [...busy.values()]
      const due = calling.length < atOnce ? await deps.store.pushableJobs(pageRows, fullyCalled(calling)) : []
      const next = pickPushes(due, calling, atOnce - calling.length)
      next.forEach(start)
      // A page of jobs of few owners may hide the others: those owners are left out of the next one.
      return due.length === pageRows && next.length > 0
    },
    settle: async () => {
      ending.abort()
      await Promise.all(busy.keys())
    },
  }
}

const leastPauseMs = 1_000

/** The first pauses are short, for an agent that restarts; the last one is a fourth of the promise. */
export const toPauseMs = (leftMs: number, pushes: number): number =>
  Math.max(leastPauseMs, leftMs / 4 ** (limits.pushes - 1 - pushes))

/** Sends one job once; resolves when its answer was taken or the job is with nobody again. */
export const pushJob = async (deps: Omit<Reach, 'onError' | 'hints'>, due: DuePush, signal: AbortSignal): Promise<void> => {
  const endpoint = (await deps.store.agent(due.agentId))?.endpointUrl
  if (!endpoint) return
  const pauseMs = toPauseMs(due.submitBy - deps.clock.now(), due.pushes)
  const job = await deps.store.leasePush(due.agentId, due.id, pauseMs)
  if (!job) return
  try {
    const said = await call({ dialer: deps.gateway.dialer, endpoint, signal }, job)
    deps.gateway.presence.see(job.agentId)
    deps.gateway.pushes.note(job.agentId)
    await takeCompletion(job, parseInput(completionInput, { job_id: job.id, ...said }), { ...deps, isProven: true })
  } catch (error) {
    await deps.store.setAdrift(job.id, job.attempt)
    // A stranger's failure is no failure of ours.
    if (!(error instanceof Problem)) throw error
    deps.gateway.pushes.note(job.agentId, error.detail)
  }
}

const call = async (at: Parameters<typeof postInvoke>[0], job: Job): Promise<Said> => {
  const context = { run_id: job.runId, job_id: job.id, chain_id: job.chainId, ...toJobTerms(job) }
  const said = await postInvoke(at, { message: job.terms.input, context })
  if (said) return said
  const answer = await postA2a(at, toSendRequest(job.id, job.terms.input, context))
  if (!answer) throw new Problem('agent-unreachable')
  return toSaid(answer)
}
