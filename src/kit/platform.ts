import { z } from 'zod'
import { minuteMs } from '../domain/durations.ts'
import { type Json, type JsonObject, json, parseJson } from '../domain/json.ts'
import { revision } from './input.ts'
import { jobTerms } from './job.ts'
import type { Credential } from './profile.ts'

/** Seconds for which the gateway may hold an empty poll, in the format of existing clients. */
const pollHold = '5.0'
/** Longer than the platform waits for a registration's transaction. */
const registerTimeoutMs = minuteMs
const gatewayTimeoutMs = 30_000

/** A job from the gateway. An input that is not a string is read as JSON text. */
const queuedJob = jobTerms.extend({
  job_id: z.string().min(1),
  agent_id: z.string().optional(),
  job_input: json.default('').transform(it => (typeof it === 'string' ? it : JSON.stringify(it))),
  chain_id: z.number().int().optional(),
  revision,
})
export type QueuedJob = z.infer<typeof queuedJob>

/** A task from the gateway: an unpaid message, in the form of an A2A request. */
const givenTask = z.object({ task_id: z.string().min(1), payload: json })
export type GivenTask = z.infer<typeof givenTask>

const registered = z.object({
  agent_id: z.string().min(1),
  unchanged: z.boolean().optional().catch(undefined),
  warnings: z.array(z.string()).catch([]),
})
const refusal = z.object({
  detail: z.string().catch(''),
  code: z.string().optional().catch(undefined),
  pointer: z.string().optional().catch(undefined),
  challenge: z.object({ message: z.string() }).optional().catch(undefined),
})

/** A job as its agent's owner sees it. */
const jobRecord = z.object({
  provider_id: z.string(),
  description: z.string(),
  escrow: z.object({ state: z.string() }),
  metadata: z.object({ offering_id: z.string() }),
})

/** The platform refused a registration. A permanent refusal lasts until the agent or its credential is changed. */
export class RegistrationRefused extends Error {
  readonly isPermanent: boolean
  /** A text to sign as fresh proof of the wallet (EIP-191). */
  readonly challenge: string | undefined

  constructor(status: number, body: Json | undefined) {
    const { detail = '', code, pointer, challenge } = refusal.safeParse(body).data ?? {}
    super(`${[status, code].filter(Boolean).join(' ')}: ${detail || 'no reason was given'}${pointer ? ` (at ${pointer})` : ''}`)
    this.name = 'RegistrationRefused'
    this.isPermanent = status < 500 && !passing.includes(status)
    this.challenge = challenge?.message
  }
}

/** Besides every 5xx, the statuses after which the same request may succeed later: timeout, too early, too many requests. */
const passing = [408, 425, 429]

type Access = { credential: Credential; signal: AbortSignal }

/** Creates the requests of an agent, which carry its token. */
const createRequests = ({ credential, signal: stopping }: Access) => {
  const headers: Record<string, string> = 'token' in credential ? { authorization: `Bearer ${credential.token}` } : {}

  const call = async (url: string, init: RequestInit, timeoutMs = gatewayTimeoutMs) => {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)])
    const response = await fetch(url, { ...init, signal })
    const warning = response.headers.get('warning') ?? undefined
    return { status: response.status, ok: response.ok, warning, body: parseJson(await response.text()) }
  }
  const get = (url: string) => call(url, { headers })
  const post = (url: string, body: Json, timeoutMs?: number) => call(url, toPost(body, headers), timeoutMs)

  return {
    get,
    post,
    /** Asks for queued work. @throws Error when the gateway is unreachable or refuses */
    poll: async (queue: string, agentId: string) => {
      const answer = await get(`${queue}/poll?agent=${encodeURIComponent(agentId)}&timeout=${pollHold}`)
      if (!answer.ok) throw new Error(`status ${answer.status}`)
      return answer
    },
    /**
     * Submits a report; `refused` is permanent.
     * @throws Error when the gateway is unreachable or may accept the report later
     */
    submit: async (url: string, report: Json): Promise<'taken' | 'refused'> => {
      const { ok, status } = await post(url, report)
      if (ok) return 'taken'
      if (status < 500 && !passing.includes(status)) return 'refused'
      throw new Error(`status ${status}`)
    },
  }
}

export type Platform = ReturnType<typeof createPlatform>

/**
 * Creates the client for the calls of an agent to the platform and its gateway.
 * @param deps.signal aborts every request
 */
export const createPlatform = (deps: Access & { platformUrl: string; gatewayUrl: string }) => {
  const base = deps.platformUrl.replace(/\/+$/, '')
  const gateway = `${deps.gatewayUrl.replace(/\/+$/, '')}/gateway`
  const { get, post, poll, submit } = createRequests(deps)

  return {
    /**
     * Registers the agent. `unchanged` means that an earlier registration is kept.
     * @throws RegistrationRefused; Error when the platform is unreachable
     */
    register: async (body: JsonObject): Promise<z.infer<typeof registered>> => {
      const answer = await post(`${base}/agents/register`, body, registerTimeoutMs)
      if (!answer.ok) throw new RegistrationRefused(answer.status, answer.body)
      return registered.parse(answer.body)
    },

    /**
     * Returns the next job, or undefined if none is queued, and the gateway's warning.
     * @throws Error when the gateway is unreachable or refuses
     */
    poll: async (agentId: string): Promise<{ job: QueuedJob | undefined; warning: string | undefined }> => {
      const { body, warning } = await poll(`${gateway}/jobs`, agentId)
      return { job: queuedJob.safeParse(body).data, warning }
    },

    /**
     * Returns a job of this agent; undefined when there is none. It needs a token.
     * @throws Error when the platform is unreachable
     */
    readJob: async (jobId: string): Promise<z.infer<typeof jobRecord> | undefined> => {
      const { body } = await get(`${base}/v1/jobs/${encodeURIComponent(jobId)}`)
      return jobRecord.safeParse(body).data
    },

    /** Tells the hirer of a job how far it is. Needs a token. Throws when the gateway is out of reach. */
    progress: async (jobId: string, text: string): Promise<void> => {
      if ('token' in deps.credential) await post(`${gateway}/jobs/progress`, { job_id: jobId, text })
    },

    /** Submits the report of a job; see `submit`. */
    complete: (report: Json) => submit(`${gateway}/jobs/complete`, report),

    /**
     * Returns the next task, or undefined if none is queued.
     * @throws Error when the gateway is unreachable or refuses
     */
    pollTask: async (agentId: string): Promise<GivenTask | undefined> =>
      givenTask.safeParse((await poll(`${gateway}/tasks`, agentId)).body).data,

    /** Submits the result of a task, like `complete`. */
    completeTask: (report: Json) => submit(`${gateway}/tasks/complete`, report),
  }
}

const toPost = (body: Json, headers: Record<string, string>): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
