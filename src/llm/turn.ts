import { APICallError, type JSONSchema7, jsonSchema, type LanguageModel, Output, streamText, tool } from 'ai'
import { z } from 'zod'
import { plainInstructions, turnInstructions } from '../../prompts/turn.ts'
import { turnTools } from '../../prompts/turnTools.ts'
import { isObject } from '../domain/json.ts'
import { Problem } from '../domain/problem.ts'
import type { Asking, LanguageModel as Model, TurnQuestion } from '../ports.ts'
import { common, toMending, toUsage } from './ask.ts'
import { isUnreadable, orUnavailable, patiently, Unreadable, type Until } from './patience.ts'
import { plainAnswer, readTurnAnswer } from './turnAnswer.ts'
import { toTurnPrompt } from './turnPrompt.ts'

type Options = { languageModel: LanguageModel; isOpenAi: boolean; timeoutMs: number; firstTokenMs: number }
type Request = { prompt: string; asking: Asking; signal: AbortSignal; onFirst(): void }

const toSchema = z.custom<JSONSchema7>(isObject)
/** OpenAI takes a schema as strict by default. Strict objects have no other members, but those of an input differ by offering. */
const toTools = (isOpenAi: boolean) =>
  Object.fromEntries(
    Object.entries(turnTools).map(([name, { description, parameters }]) => {
      const inputSchema = jsonSchema(toSchema.parse(parameters))
      return [name, tool({ description, inputSchema, ...(isOpenAi && { strict: false }) })]
    }),
  )
const withoutTools = { instructions: plainInstructions, output: Output.object({ schema: plainAnswer, name: 'turn' }) }

/** Statuses of a provider that refuses the form of a request. */
const refusals = [400, 404, 405, 422, 500, 501]
const isRefused = (error: unknown) => APICallError.isInstance(error) && refusals.includes(error.statusCode ?? 0)

/** A longer answer is read no further. Of its words, a few sentences are told while it is written. */
const answerChars = 65_536
const toldChars = 2_000

type Streamed = { text: string; calls: { toolName: string; input: unknown }[] }

const readStream = async (languageModel: LanguageModel, form: object, request: Request): Promise<Streamed> => {
  const { prompt, asking, signal: abortSignal, onFirst } = request
  const { instructions } = { instructions: turnInstructions, ...form }
  const { fullStream } = streamText({
    ...common,
    model: languageModel,
    instructions,
    prompt,
    abortSignal,
    ...form,
    onError: () => undefined,
  })
  const read: Streamed = { text: '', calls: [] }
  // Without tools, the text is JSON.
  const isSpoken = form !== withoutTools
  for await (const part of fullStream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'abort') throw new DOMException('The answer took too long.', 'TimeoutError')
    if (part.type === 'text-delta' || part.type === 'tool-input-start' || part.type === 'reasoning-delta') onFirst()
    if (part.type === 'text-delta') {
      read.text += part.text
      if (read.text.length > answerChars) break
      if (isSpoken && read.text.length <= toldChars) asking.hear?.(read.text, false)
    }
    if (part.type === 'tool-input-start' && isSpoken) asking.hear?.(read.text, true)
    if (part.type === 'tool-call' && !part.invalid) read.calls.push(part)
    if (part.type === 'finish') asking.spend?.(toUsage(part.totalUsage))
  }
  const calls = read.calls.map(({ toolName, input }) => ({ tool: toolName, arguments: input }))
  asking.show?.({ instructions, prompt, answer: calls.length > 0 ? JSON.stringify({ words: read.text, calls }) : read.text })
  return read
}

/**
 * Creates the function that reads a turn with one streamed call. A provider that refuses tools is asked for plain structured
 * output from then on. The first part of an answer must come within `firstTokenMs`; what comes later is dropped.
 */
export const createTurn = ({ languageModel, isOpenAi, timeoutMs: maxMs, firstTokenMs }: Options): Pick<Model, 'turn'> => {
  const withTools = { instructions: turnInstructions, tools: toTools(isOpenAi) }
  let takesTools = true

  const once = async (request: Request): Promise<Streamed> => {
    if (!takesTools) return readStream(languageModel, withoutTools, request)
    try {
      return await readStream(languageModel, withTools, request)
    } catch (error) {
      if (!isRefused(error)) throw error
      const read = await readStream(languageModel, withoutTools, request).catch(() => Promise.reject(error))
      takesTools = false
      return read
    }
  }

  const ask = async (prompt: string, asking: Asking, { until, late }: { until: Until; late: AbortController }) => {
    const timer = setTimeout(() => late.abort(), firstTokenMs)
    const onFirst = () => clearTimeout(timer)
    const signal = AbortSignal.any([until.signal, late.signal])
    try {
      const read = async (text: string) => readTurnAnswer(await once({ prompt: text, asking, signal, onFirst }))
      return await patiently(() => read(prompt), { ...until, signal }).catch(error => {
        if (!isUnreadable(error)) throw error
        const said = error instanceof Unreadable ? error.text : ''
        return patiently(() => read(`${prompt}\n\n${toMending(said)}`), { ...until, signal })
      })
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    turn: async (of: TurnQuestion, asking = {}) => {
      const timeoutMs = Math.min(maxMs, asking.timeoutMs ?? maxMs)
      if (timeoutMs <= 0) throw new Problem('model-unavailable', 'The language model did not answer in time.')
      const until = { signal: AbortSignal.timeout(timeoutMs), endsAt: performance.now() + timeoutMs }
      return orUnavailable(() => ask(toTurnPrompt(of), asking, { until, late: new AbortController() }))
    },
  }
}
