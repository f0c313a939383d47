import { embed, embedMany } from 'ai'
import type { Embeddings } from '../ports.ts'
import { type ModelSource, toEmbeddingModel } from './provider.ts'

/** A search waits for its own text no longer than a person would notice. */
const queryTimeoutMs = 1_500
const listingsTimeoutMs = 30_000
/** Providers refuse larger requests at different sizes; all take this one. */
const batchTexts = 64

/** Embeddings behind the AI SDK. Whoever asks tries again: a failed search has its words, a listing comes later. */
export const createEmbeddings = (of: ModelSource, { timeoutMs = queryTimeoutMs } = {}): Embeddings => {
  const model = toEmbeddingModel(of)
  return {
    id: `${of.provider}:${of.model}`,

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
