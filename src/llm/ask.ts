import { generateText, type LanguageModel, type LanguageModelUsage, NoObjectGeneratedError, Output } from 'ai'
import type { z } from 'zod'
import type { Asking, Usage } from '../ports.ts'
import { isUnreadable, orUnavailable, patiently, type Until } from './patience.ts'

type Texts = { instructions: string; prompt: string }
export type Question<T> = Texts & { name: string; schema: z.ZodType<T> } & Asking

/** Most answers have a few short fields, but a form can contain a whole text to be processed. */
export const maxOutputTokens = 8192
/** Maximum characters of an unreadable answer that are quoted back to the model. */
const quotedChars = 2000

/** Options of every request: no telemetry, and nothing is stored at the provider. */
export const common = {
  maxRetries: 0,
  maxOutputTokens,
  telemetry: { isEnabled: false },
  providerOptions: { openai: { store: false } },
}

export const toUsage = (usage: LanguageModelUsage | undefined): Usage => ({
  inputTokens: usage?.inputTokens ?? 0,
  outputTokens: usage?.outputTokens ?? 0,
  cachedTokens: usage?.inputTokenDetails?.cacheReadTokens ?? 0,
})

/** Asks again for an answer that could not be read. */
export const toMending = (text: string) =>
  `Your last answer could not be read: ${JSON.stringify(text.slice(0, quotedChars))}\nAnswer again, in the form that was asked for only.`

/**
 * Creates a function that asks a language model for structured output. One time limit covers up to three attempts while the
 * provider is busy, and one repeated question after an unreadable answer.
 * @throws Problem model-unavailable
 */
export const createAsk = ({ languageModel, timeoutMs: maxMs }: { languageModel: LanguageModel; timeoutMs: number }) => {
  const once = async <T>(question: Question<T>, abortSignal: AbortSignal): Promise<T> => {
    const { name, schema, instructions, prompt, spend, show } = question
    const { output, usage, text } = await generateText({
      ...common,
      model: languageModel,
      instructions,
      prompt,
      output: Output.object({ schema, name }),
      abortSignal,
    })
    spend?.(toUsage(usage))
    show?.({ instructions, prompt, answer: text })
    return output
  }

  return <T>(question: Question<T>): Promise<T> => {
    const timeoutMs = Math.min(maxMs, question.timeoutMs ?? maxMs)
    const until: Until = { signal: AbortSignal.timeout(timeoutMs), endsAt: performance.now() + timeoutMs }
    return orUnavailable(() =>
      patiently(() => once(question, until.signal), until).catch(error => {
        if (!isUnreadable(error)) throw error
        const text = NoObjectGeneratedError.isInstance(error) ? (error.text ?? '') : ''
        if (NoObjectGeneratedError.isInstance(error)) {
          question.spend?.(toUsage(error.usage))
          question.show?.({ ...question, answer: text })
        }
        const prompt = `${question.prompt}\n\n${toMending(text)}`
        return patiently(() => once({ ...question, prompt }, until.signal), until)
      }),
    )
  }
}
