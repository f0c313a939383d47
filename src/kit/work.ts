import type { z } from 'zod'
import type { Revision } from '../domain/jobs/acceptance.ts'
import type { Json, JsonObject } from '../domain/json.ts'
import { type Uploadable, uploadFile } from './files.ts'
import { readInput } from './input.ts'
import type { JobContext } from './job.ts'
import type { QueuedJob } from './platform.ts'
import type { AgentOptions } from './profile.ts'
import { readTyped } from './typed.ts'

/** The result of a handler: the deliverable's text with the units that it stated, or the reason of a failure. */
export type Outcome = { content: string; units?: number } | { error: string }

type Asked = {
  text: string
  revision: Revision | undefined
  job?: JobContext
  /** Where files of the job are uploaded. */
  uploadUrl?: string | undefined
  signal: AbortSignal
  /** Sends the hirer of the job a text. */
  tell: (jobId: string, text: string) => Promise<unknown>
}

/** Maximum duration of a timer in ms; a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1

/** Runs the handler on one input. It never throws. A handler that ignores its abort signal is abandoned after the deadline. */
export const work = async (
  handler: AgentOptions['handler'],
  { text, revision, job, uploadUrl, signal, tell }: Asked,
): Promise<Outcome> => {
  const late = new AbortController()
  const leftMs = job?.submitBy && Math.max(0, job.submitBy.getTime() - Date.now())
  const timer = leftMs === undefined ? undefined : setTimeout(() => late.abort(), Math.min(leftMs, longestTimerMs))
  const missed = new Promise<never>((_resolve, reject) =>
    late.signal.addEventListener('abort', () => reject(new Error('the deadline has passed'))),
  )
  const progress = async (said: string) => {
    // Work goes on when its progress cannot be told.
    if (job) await tell(job.id, said).catch(() => undefined)
  }
  const own = {
    signal: AbortSignal.any([signal, late.signal]),
    fail,
    progress,
    upload: (from: Uploadable, name?: string) => (uploadUrl ? uploadFile(uploadUrl, from, name) : noUpload()),
    ...(job && { job }),
    ...(revision && { revision }),
  }
  let units: number | undefined
  const used = (count: number) => {
    units = count
  }
  const input = readInput(text)
  const read = <T>(schema: z.ZodType<T>) => readTyped(schema, input)
  try {
    const answer: Json = await Promise.race([handler({ ...input, ...own, read, used }), missed])
    return { content: typeof answer === 'string' ? answer : JSON.stringify(answer), ...(units !== undefined && { units }) }
  } catch (error) {
    return { error: toReason(error) }
  } finally {
    clearTimeout(timer)
  }
}

const noUpload = () => Promise.reject(new Error('only a hired job takes files'))
const fail = (reason: string): never => {
  throw new Error(reason)
}

export const toReason = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error))

/** Builds the body of POST /gateway/jobs/complete. `agentId` is used if the job does not name its agent. */
export const toReport = (job: QueuedJob, outcome: Outcome, agentId: string): JsonObject => ({
  job_id: job.job_id,
  agent_id: job.agent_id ?? agentId,
  ...('error' in outcome
    ? { status: 'failed', error: outcome.error, result: {} }
    : {
        status: 'completed',
        result: { response: outcome.content, task: toTask(job) },
        ...(outcome.units !== undefined && { units: outcome.units }),
      }),
  ...(job.chain_id === undefined ? {} : { chain_id: job.chain_id }),
})

/**
 * Builds the completed job as an A2A 0.3 task. It has no history, because the text is in `response` and might be too large
 * twice.
 */
const toTask = (job: QueuedJob): JsonObject => ({
  kind: 'task',
  id: job.job_id,
  contextId: job.job_id,
  status: { state: 'completed' },
  history: [],
})
