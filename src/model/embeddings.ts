import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { type EmbeddingModel, embed, embedMany } from 'ai'
import type { Embeddings } from '../ports.ts'
import type { LanguageModelConfig } from './languageModel.ts'

/** A search waits for its own text no longer than a person would notice. */
const queryTimeoutMs = 1_500
const listingsTimeoutMs = 30_000
/** Providers refuse larger requests at different sizes; all take this one. */
const batchTexts = 64

const toModel = ({ provider, model, apiKey, baseUrl }: LanguageModelConfig): EmbeddingModel => {
  if (provider === 'openai') return createOpenAI({ apiKey, baseURL: baseUrl }).embeddingModel(model)
  if (!baseUrl) throw new RangeError('an OpenAI-compatible server of embeddings needs an address')
  return createOpenAICompatible({ name: provider, apiKey, baseURL: baseUrl }).embeddingModel(model)
}

/** Embeddings behind the AI SDK. Whoever asks tries again: a failed search has its words, a listing comes later. */
export const createEmbeddings = (config: LanguageModelConfig & { timeoutMs?: number }): Embeddings => {
  const model = toModel(config)
  const timeoutMs = config.timeoutMs ?? queryTimeoutMs
  return {
    id: `${config.provider}:${config.model}`,

    async embed(value) {
      const abortSignal = AbortSignal.timeout(timeoutMs)
      return (await embed({ model, value, maxRetries: 0, abortSignal })).embedding
    },

    async embedAll(texts) {
      const vectors: number[][] = []
      for (let at = 0; at < texts.length; at += batchTexts) {
        const values = texts.slice(at, at + batchTexts)
        const abortSignal = AbortSignal.timeout(listingsTimeoutMs)
        vectors.push(...(await embedMany({ model, values, maxRetries: 1, abortSignal })).embeddings)
      }
      return vectors
    },
  }
}
