import { z } from 'zod'
import { minuteMs } from '../domain/durations.ts'
import { type Json, type JsonObject, json, parseJson } from '../domain/json.ts'
import { revision } from './input.ts'
import type { Credential } from './profile.ts'

/** Seconds that the gateway may hold an empty poll, as existing clients write it. */
const pollHold = '5.0'
/** Longer than the platform waits for a registration's transaction. */
const registerTimeoutMs = minuteMs
const gatewayTimeoutMs = 30_000

/** A job as the gateway hands it out. An input that is no string is read as its JSON text. */
const queuedJob = z.object({
  job_id: z.string().min(1),
  agent_id: z.string().optional(),
  job_input: json.default('').transform(it => (typeof it === 'string' ? it : JSON.stringify(it))),
  chain_id: z.number().int().optional(),
  revision,
})
export type QueuedJob = z.infer<typeof queuedJob>

const registered = z.object({ agent_id: z.string().min(1), unchanged: z.boolean().optional().catch(undefined) })
const refusal = z.object({ detail: z.string() })

/** Refusals after which the same request may work later, besides every 5xx: timeout, too early, too many. */
const passing = [408, 425, 429]

export type Platform = ReturnType<typeof createPlatform>

/**
 * The three calls that an agent makes. All end when the signal aborts.
 * @param deps.signal stops every request
 */
export const createPlatform = (deps: {
  platformUrl: string
  gatewayUrl: string
  credential: Credential
  signal: AbortSignal
}) => {
  const base = deps.platformUrl.replace(/\/+$/, '')
  const gateway = `${deps.gatewayUrl.replace(/\/+$/, '')}/gateway/jobs`
  const bearer: Record<string, string> = 'token' in deps.credential ? { authorization: `Bearer ${deps.credential.token}` } : {}

  const call = async (url: string, timeoutMs: number, init: RequestInit = {}) => {
    const signal = AbortSignal.any([deps.signal, AbortSignal.timeout(timeoutMs)])
    const response = await fetch(url, { ...init, signal })
    return { status: response.status, ok: response.ok, body: parseJson(await response.text()) }
  }

  return {
    /** The agent's id, and whether an earlier registration stands instead of this one. Throws when the platform is out of reach or refuses. */
    register: async (body: JsonObject): Promise<z.infer<typeof registered>> => {
      const answer = await call(`${base}/agents/register`, registerTimeoutMs, toPost(body, bearer))
      if (!answer.ok) throw new Error(`${answer.status} ${refusal.safeParse(answer.body).data?.detail ?? ''}`.trim())
      return registered.parse(answer.body)
    },

    /** The next job, or undefined when none waits. Throws when the gateway is out of reach or refuses. */
    poll: async (agentId: string): Promise<QueuedJob | undefined> => {
      const answer = await call(`${gateway}/poll?agent=${encodeURIComponent(agentId)}&timeout=${pollHold}`, gatewayTimeoutMs, {
        headers: bearer,
      })
      if (!answer.ok) throw new Error(`status ${answer.status}`)
      return queuedJob.safeParse(answer.body).data
    },

    /** Hands in a report; `refused` is for good. Throws when the gateway is out of reach or may take the report later. */
    complete: async (report: Json): Promise<'taken' | 'refused'> => {
      const { ok, status } = await call(`${gateway}/complete`, gatewayTimeoutMs, toPost(report, bearer))
      if (ok) return 'taken'
      if (status < 500 && !passing.includes(status)) return 'refused'
      throw new Error(`status ${status}`)
    },
  }
}

const toPost = (body: Json, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
