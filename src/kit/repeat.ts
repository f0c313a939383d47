import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'

/** Pauses before a request is repeated, in ms. */
const pausesMs = [500, 1_000, 2_000, 4_000, 8_000, 16_000]

/** A refusal that repeating does not change. */
class Refused extends Error {}

/**
 * Repeats a step after failures that may pass: a lost connection, or an answer that says so. @throws Error of the last failure
 */
export const repeat = async <T>(step: () => Promise<T>): Promise<T> => {
  for (const pauseMs of pausesMs) {
    try {
      return await step()
    } catch (error) {
      if (error instanceof Refused) throw error
    }
    await delay(pauseMs)
  }
  return step()
}

const refusal = z.object({ detail: z.string().catch('') })

/** Sends a request for a file and reads its answer. @throws Error with the reason of the platform */
export const ask = async <T>(url: URL, init: RequestInit, schema: z.ZodType<T>): Promise<T> => {
  const answer = await fetch(url, init)
  const said: unknown = await answer.json().catch(() => undefined)
  if (answer.ok) return schema.parse(said)
  const words = `status ${answer.status}: ${refusal.safeParse(said).data?.detail ?? ''}`
  const mayPass = answer.status >= 500 || [408, 409, 429].includes(answer.status)
  throw mayPass ? new Error(words) : new Refused(words)
}
