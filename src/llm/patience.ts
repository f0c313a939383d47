import { setTimeout } from 'node:timers/promises'
import { APICallError, NoObjectGeneratedError, NoOutputGeneratedError } from 'ai'
import { Problem } from '../domain/problem.ts'

/** Maximum attempts per request. The time limit usually expires first. */
const attempts = 3
const firstPauseMs = 500

/** An answer that could not be read. `text` is quoted back to the model when it is asked again. */
export class Unreadable extends Error {
  readonly text: string

  constructor(text: string) {
    super('unreadable')
    this.text = text
  }
}

/**
 * Pause before the next attempt, in ms: the provider's Retry-After (RFC 9110, section 10.2.3) or `retry-after-ms` header, else
 * exponential backoff.
 */
const toPauseMs = ({ responseHeaders = {} }: APICallError, attempt: number): number => {
  const ms = Number.parseFloat(responseHeaders['retry-after-ms'] ?? '')
  if (ms >= 0) return ms
  const after = responseHeaders['retry-after'] ?? ''
  const seconds = Number.parseFloat(after)
  if (seconds >= 0) return seconds * 1000
  const date = Date.parse(after)
  return Number.isNaN(date) ? firstPauseMs * 2 ** attempt : Math.max(0, date - Date.now())
}

export const isUnreadable = (error: unknown) =>
  error instanceof Unreadable || NoObjectGeneratedError.isInstance(error) || NoOutputGeneratedError.isInstance(error)

/** Describes the failure to users. It contains no text from the provider, which may quote keys or prompts. */
const toDetail = (error: unknown): string => {
  if (isUnreadable(error)) return 'The answer of the language model could not be read.'
  if (APICallError.isInstance(error) && error.statusCode)
    return `The language model's provider answered with status ${error.statusCode}.`
  return 'The language model did not answer in time.'
}

/** The limit of a question to a model: `signal` aborts it, and no attempt starts after `endsAt` (performance.now). */
export type Until = { signal: AbortSignal; endsAt: number }

/** Asks again while the provider is busy, in the time that is left. */
export const patiently = async <T>(work: () => Promise<T>, { signal, endsAt }: Until): Promise<T> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!APICallError.isInstance(error) || !error.isRetryable || attempt + 1 >= attempts) throw error
      const pauseMs = toPauseMs(error, attempt)
      if (performance.now() + pauseMs >= endsAt) throw error
      await setTimeout(pauseMs, undefined, { signal })
    }
  }
}

/** Every failure becomes one problem. @throws Problem model-unavailable */
export const orUnavailable = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw new Problem('model-unavailable', toDetail(error))
  }
}
