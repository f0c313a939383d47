import type { Json } from '../domain/json.ts'
import { toJobContext } from './job.ts'
import { pause, retryUntilDone } from './pauses.ts'
import type { Platform, QueuedJob } from './platform.ts'
import type { AgentOptions } from './profile.ts'
import { toReason, toReport, work } from './work.ts'

export type PollingDeps = {
  platform: Platform
  handler: AgentOptions['handler']
  agentId: () => string
  chainId: number
  concurrency: number
  log: (line: string) => void
  pollPauseMs: number
  retryPauseMs: number
  signal: AbortSignal
}

/**
 * Polls for jobs until the signal aborts, and works on at most `concurrency` at a time. A failed submission is repeated in
 * parallel, so that it does not delay other jobs.
 */
export const pollJobs = async (deps: PollingDeps): Promise<void> => {
  const working = new Set<Promise<void>>()
  const handIns = new Map<string, Promise<void>>()
  const open = new Set<string>()
  const next = createNext(deps)
  const handIn = async (job: QueuedJob) => {
    const report = await reportOf(deps, job)
    const insisting = submit(`job ${job.job_id}`, () => deps.platform.complete(report), deps)
    const ended = insisting.finally(() => {
      handIns.delete(job.job_id)
      open.delete(job.job_id)
    })
    handIns.set(job.job_id, ended)
  }
  while (!deps.signal.aborted) {
    const job = await next()
    // The gateway offered a job again that is in progress, or whose report is still being submitted.
    if (!job || open.has(job.job_id)) {
      await pause(deps.pollPauseMs, deps.signal)
      continue
    }
    open.add(job.job_id)
    const running = handIn(job).finally(() => working.delete(running))
    working.add(running)
    if (working.size >= deps.concurrency) await Promise.race(working)
  }
  await Promise.all([...working, ...handIns.values()])
}

const reportOf = async (deps: PollingDeps, job: QueuedJob): Promise<Json> => {
  const { job_id, job_input: text, revision } = job
  const outcome = await work(deps.handler, {
    text,
    revision,
    job: toJobContext(job_id, job),
    uploadUrl: job.upload_url,
    signal: deps.signal,
    tell: deps.platform.progress,
  })
  if ('error' in outcome) deps.log(`job ${job_id} failed: ${outcome.error}`)
  return toReport({ chain_id: deps.chainId, ...job }, outcome, deps.agentId())
}

/** Creates a function that polls once. An outage or warning is logged when it starts and ends, not at every poll. */
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

type Submitting = Pick<PollingDeps, 'log' | 'retryPauseMs' | 'signal'>

/** Sends the report of what `name` names until the gateway takes or refuses it. */
export const submit = (name: string, send: () => Promise<string>, { log, retryPauseMs, signal }: Submitting): Promise<void> => {
  const attempt = async () => {
    try {
      log(`${name} ${await send()}`)
      return true
    } catch (error) {
      if (!signal.aborted) log(`${name} not accepted yet; it is submitted again: ${toReason(error)}`)
      return false
    }
  }
  return retryUntilDone(attempt, retryPauseMs, signal)
}
