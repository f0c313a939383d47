import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { EmbeddingModel, LanguageModel } from 'ai'

/** The name of a model and its provider: OpenAI, or a compatible server at `baseUrl`. */
export type ModelSource = { model: string; apiKey: string } & (
  | { provider: 'openai' }
  | { provider: 'openai-compatible'; baseUrl: string }
)

type Provider = { languageModel(model: string): LanguageModel; embeddingModel(model: string): EmbeddingModel }

/** An answer is a few fields; a whole body of this size comes from a server that is broken or hostile. */
const maxBytes = 1_000_000

/** `fetch` that ends with an error when the body of the answer is longer than `maxBytes`. */
const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  let bytes = 0
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) controller.error(new RangeError(`The answer is longer than ${maxBytes} bytes.`))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = response
  return new Response(response.body?.pipeThrough(bound) ?? null, { status, statusText, headers })
}

/** OpenAI is called through its Responses API; other providers through chat completions. */
const openProvider = (of: ModelSource, fetch?: typeof globalThis.fetch): Provider =>
  of.provider === 'openai'
    ? createOpenAI({ apiKey: of.apiKey, ...(fetch && { fetch }) })
    : createOpenAICompatible({
        name: of.provider,
        apiKey: of.apiKey,
        baseURL: of.baseUrl,
        supportsStructuredOutputs: true,
        ...(fetch && { fetch }),
      })

export const toLanguageModel = (of: ModelSource): LanguageModel => openProvider(of, boundedFetch).languageModel(of.model)
export const toEmbeddingModel = (of: ModelSource): EmbeddingModel => openProvider(of).embeddingModel(of.model)
