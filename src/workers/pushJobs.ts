import { fullyCalled, pickPushes } from '../domain/agents/pushTurns.ts'
import type { JsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { Problem } from '../domain/problem.ts'
import { linkInputFiles } from '../operations/files/jobFiles.ts'
import { postA2a, postInvoke, type Said, toSaid, toSendRequest } from '../operations/gateway/callAgent.ts'
import { takeCompletion } from '../operations/gateway/completeJob.ts'
import { toJobTerms } from '../operations/gateway/delivery.ts'
import { type Deps, parseInput } from '../operations/operation.ts'
import type { DuePush, Job } from '../ports.ts'
import { completionInput } from '../records/delivery.ts'
import type { Worker } from './loop.ts'

type Reach = Pick<Deps, 'store' | 'chains' | 'gateway' | 'wakeups' | 'clock' | 'selling' | 'files' | 'settings'> & {
  onError(worker: string, error: unknown): void
}

/** Page size of due jobs, from which the next calls are chosen. */
const pageRows = 200

/**
 * Sends jobs to agents with their own endpoint. Paid jobs come first, then owners and agents in turn, each with few concurrent
 * calls. After a failed call the job is undelivered: an agent that polls gets it at once, under the same lease. Otherwise the
 * call is repeated up to `limits.pushes` times per delivery, each pause four times as long as the last.
 */
export const pushJobs = (deps: Reach): Worker => {
  const busy = new Map<Promise<void>, DuePush>()
  const ending = new AbortController()
  const start = (due: DuePush) => {
    const work = pushJob(deps, due, ending.signal)
      .catch((error: unknown) => deps.onError('pushJobs', error))
      .finally(() => {
        busy.delete(work)
        // Jobs that found no free place are not woken again, so the end of this one wakes them.
        deps.wakeups.notify('pushes')
      })
    busy.set(work, due)
  }
  return {
    name: 'pushJobs',
    channel: 'pushes',
    idleMs: 1_000,
    async runOnce() {
      const calling = [...busy.values()]
      const places = limits.pushesAtOnce - calling.length
      const due = places > 0 ? await deps.store.pushableJobs(pageRows, fullyCalled(calling)) : []
      const next = pickPushes(due, calling, places)
      next.forEach(start)
      // A page filled by few owners may hide other jobs, so the next page excludes those owners.
      return due.length === pageRows && next.length > 0
    },
    settle: async () => {
      ending.abort()
      await Promise.all(busy.keys())
    },
  }
}

const minPauseMs = 1_000

/**
 * Pause before the next call, in ms. The first pauses are short, for an agent that restarts; the last is a quarter of the time
 * left.
 */
export const toPauseMs = (leftMs: number, pushes: number): number =>
  Math.max(minPauseMs, leftMs / 4 ** (limits.pushes - 1 - pushes))

/** Sends one job once. Resolves when its answer was recorded or the job is undelivered again. */
export const pushJob = async (deps: Omit<Reach, 'onError' | 'wakeups'>, due: DuePush, signal: AbortSignal): Promise<void> => {
  const endpoint = (await deps.store.agent(due.agentId))?.endpointUrl
  if (!endpoint) return
  const pauseMs = toPauseMs(due.submitBy - deps.clock.now(), due.pushes)
  const job = await deps.store.leasePush(due.agentId, due.id, pauseMs)
  if (!job) return
  try {
    const { job_input: input = job.terms.input, ...files } = await linkInputFiles(deps, job)
    const of = { job, input, terms: { ...toJobTerms(job), ...files } }
    const said = await call({ dialer: deps.gateway.dialer, endpoint, signal }, of)
    deps.gateway.presence.see(job.agentId)
    deps.gateway.pushes.note(job.agentId)
    await takeCompletion(job, parseInput(completionInput, { job_id: job.id, ...said }), { ...deps, by: 'agent' })
  } catch (error) {
    await deps.store.setUndelivered(job.id, job.attempt)
    // A failed agent is not an error of the service.
    if (!(error instanceof Problem)) throw error
    deps.gateway.pushes.note(job.agentId, error.detail)
  }
}

type Sent = { job: Job; input: string; terms: JsonObject }
const call = async (at: Parameters<typeof postInvoke>[0], { job, input, terms }: Sent): Promise<Said> => {
  const context = { run_id: job.runId, job_id: job.id, chain_id: job.chainId, ...terms }
  const said = await postInvoke(at, { message: input, context })
  if (said) return said
  const answer = await postA2a(at, toSendRequest(job.id, input, context))
  if (!answer) throw new Problem('agent-unreachable')
  return toSaid(answer)
}
