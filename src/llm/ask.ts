import { setTimeout } from 'node:timers/promises'
import {
  APICallError,
  generateText,
  type LanguageModel,
  type LanguageModelUsage,
  NoObjectGeneratedError,
  NoOutputGeneratedError,
  Output,
} from 'ai'
import type { z } from 'zod'
import { Problem } from '../domain/problem.ts'
import type { Asking } from '../ports.ts'

type Texts = { instructions: string; prompt: string }
export type Question<T> = Texts & { name: string; schema: z.ZodType<T> } & Asking

/** Maximum attempts per request. The time limit usually expires first. */
const attempts = 3
const firstPauseMs = 500
/** Most answers have a few short fields, but a form can contain a whole text to be processed. */
const maxOutputTokens = 8192
/** Maximum characters of an unreadable answer that are quoted back to the model. */
const quotedChars = 2000

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

const toUsage = (usage: LanguageModelUsage | undefined) => ({
  inputTokens: usage?.inputTokens ?? 0,
  outputTokens: usage?.outputTokens ?? 0,
})

const isUnreadable = (error: unknown) => NoObjectGeneratedError.isInstance(error) || NoOutputGeneratedError.isInstance(error)

const mending = (error: unknown) => {
  const text = NoObjectGeneratedError.isInstance(error) ? (error.text ?? '') : ''
  return (
    `Your last answer could not be read: ${JSON.stringify(text.slice(0, quotedChars))}\nAnswer again, ` +
    'with the JSON object only.'
  )
}

/** Describes the failure to users. It contains no text from the provider, which may quote keys or prompts. */
const toDetail = (error: unknown): string => {
  if (isUnreadable(error)) return 'The answer of the language model could not be read.'
  if (APICallError.isInstance(error) && error.statusCode)
    return `The language model's provider answered with status ${error.statusCode}.`
  return 'The language model did not answer in time.'
}

/**
 * Creates a function that asks a language model for structured output. One time limit covers up to three attempts while the
 * provider is busy, and one repeated question after an unreadable answer.
 * @throws Problem model-unavailable
 */
export const createAsk = ({ languageModel, timeoutMs: maxMs }: { languageModel: LanguageModel; timeoutMs: number }) => {
  const once = async <T>(question: Question<T>, abortSignal: AbortSignal): Promise<T> => {
    const { name, schema, instructions, prompt, spend, show } = question
    const { output, usage, text } = await generateText({
      model: languageModel,
      instructions,
      prompt,
      output: Output.object({ schema, name }),
      abortSignal,
      maxRetries: 0,
      maxOutputTokens,
      telemetry: { isEnabled: false },
      providerOptions: { openai: { store: false } },
    })
    spend?.(toUsage(usage))
    show?.({ instructions, prompt, answer: text })
    return output
  }

  const patiently = async <T>(question: Question<T>, signal: AbortSignal, endsAt: number): Promise<T> => {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await once(question, signal)
      } catch (error) {
        if (!APICallError.isInstance(error) || !error.isRetryable || attempt + 1 >= attempts) throw error
        const pauseMs = toPauseMs(error, attempt)
        if (performance.now() + pauseMs >= endsAt) throw error
        await setTimeout(pauseMs, undefined, { signal })
      }
    }
  }

  return async <T>(question: Question<T>): Promise<T> => {
    const timeoutMs = Math.min(maxMs, question.timeoutMs ?? maxMs)
    const signal = AbortSignal.timeout(timeoutMs)
    const endsAt = performance.now() + timeoutMs
    try {
      return await patiently(question, signal, endsAt).catch(error => {
        if (!isUnreadable(error)) throw error
        if (NoObjectGeneratedError.isInstance(error)) {
          question.spend?.(toUsage(error.usage))
          question.show?.({ ...question, answer: error.text ?? '' })
        }
        return patiently({ ...question, prompt: `${question.prompt}\n\n${mending(error)}` }, signal, endsAt)
      })
    } catch (error) {
      throw new Problem('model-unavailable', toDetail(error))
    }
  }
}
