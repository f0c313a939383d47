import type { Json } from '../domain/json.ts'
import { insist, pause } from './pauses.ts'
import type { Platform, QueuedJob } from './platform.ts'
import type { AgentOptions } from './profile.ts'
import { toReason, toReport, work } from './work.ts'

type PollingDeps = {
  platform: Platform
  handler: AgentOptions['handler']
  agentId: () => string
  chainId: number
  log: (line: string) => void
  pollPauseMs: number
  retryPauseMs: number
  signal: AbortSignal
}

/**
 * Takes jobs one after the other until the signal aborts. A hand-in that fails is repeated beside the next jobs, so that
 * one report the gateway cannot take does not hold up the rest.
 */
export const pollJobs = async (deps: PollingDeps): Promise<void> => {
  const handIns = new Map<string, Promise<void>>()
  const next = createNext(deps)
  while (!deps.signal.aborted) {
    const job = await next()
    // A job whose hand-in is still being tried was offered again: its work is done already.
    if (!job || handIns.has(job.job_id)) {
      await pause(deps.pollPauseMs, deps.signal)
      continue
    }
    const outcome = await work(deps.handler, { text: job.job_input, revision: job.revision })
    if ('error' in outcome) deps.log(`job ${job.job_id} failed: ${outcome.error}`)
    const report = toReport({ chain_id: deps.chainId, ...job }, outcome, deps.agentId())
    const handIn = insist(() => complete(deps, job, report), deps.retryPauseMs, deps.signal)
    handIns.set(
      job.job_id,
      handIn.finally(() => handIns.delete(job.job_id)),
    )
  }
  await Promise.all(handIns.values())
}

/** Polls once. An outage or a warning is logged when it begins and when it ends, not at every poll. */
const createNext = ({ platform, agentId, log, signal }: PollingDeps) => {
  let reachable = true
  let warned: string | undefined
  return async (): Promise<QueuedJob | undefined> => {
    try {
      const { job, warning } = await platform.poll(agentId())
      if (warning && warning !== warned) log(`warning: ${warning}`)
      warned = warning
      if (!reachable) log('the gateway answers again')
      reachable = true
      return job
    } catch (error) {
      if (reachable && !signal.aborted) log(`the gateway does not answer: ${toReason(error)}`)
      reachable = false
      return undefined
    }
  }
}

const complete = async ({ platform, log, signal }: PollingDeps, job: QueuedJob, report: Json): Promise<boolean> => {
  try {
    log(`job ${job.job_id} ${await platform.complete(report)}`)
    return true
  } catch (error) {
    if (!signal.aborted) log(`job ${job.job_id} not taken yet, it is handed in again: ${toReason(error)}`)
    return false
  }
}
