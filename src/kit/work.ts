import type { Revision } from '../domain/acceptance.ts'
import type { Json, JsonObject } from '../domain/json.ts'
import { readInput } from './input.ts'
import type { JobContext } from './job.ts'
import type { QueuedJob } from './platform.ts'
import type { AgentOptions } from './profile.ts'

/** What came of one input: the deliverable's text, or why there is none. */
type Outcome = { content: string } | { error: string }

type Asked = {
  text: string
  revision: Revision | undefined
  job?: JobContext
  signal: AbortSignal
  /** Sends the hirer of the job a text. */
  tell: (jobId: string, text: string) => Promise<unknown>
}

/** The longest time of a timer in ms; a longer one would end at once. */
const longestTimerMs = 2 ** 31 - 1

/** Runs the handler on one input. Never throws. A handler that ignores its signal is left alone after the deadline. */
export const work = async (handler: AgentOptions['handler'], { text, revision, job, signal, tell }: Asked): Promise<Outcome> => {
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
    ...(job && { job }),
    ...(revision && { revision }),
  }
  try {
    const answer: Json = await Promise.race([handler({ ...readInput(text), ...own }), missed])
    return { content: typeof answer === 'string' ? answer : JSON.stringify(answer) }
  } catch (error) {
    return { error: toReason(error) }
  } finally {
    clearTimeout(timer)
  }
}

const fail = (reason: string): never => {
  throw new Error(reason)
}

/** An error in words for a log line or a report. */
export const toReason = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error))

/** The body of POST /gateway/jobs/complete. `agentId` stands in where the job does not name its agent. */
export const toReport = (job: QueuedJob, outcome: Outcome, agentId: string): JsonObject => ({
  job_id: job.job_id,
  agent_id: job.agent_id ?? agentId,
  ...('error' in outcome
    ? { status: 'failed', error: outcome.error, result: {} }
    : { status: 'completed', result: { response: outcome.content, task: toTask(job) } }),
  ...(job.chain_id === undefined ? {} : { chain_id: job.chain_id }),
})

/** The finished job as an A2A task (0.3 line). Without history: the text stands in `response`, twice it could be too large. */
const toTask = (job: QueuedJob): JsonObject => ({
  kind: 'task',
  id: job.job_id,
  contextId: job.job_id,
  status: { state: 'completed' },
  history: [],
})
