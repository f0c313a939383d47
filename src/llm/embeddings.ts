import { embed, embedMany } from 'ai'
import type { Embeddings } from '../ports.ts'
import { type ModelSource, toEmbeddingModel } from './provider.ts'

/** Time limits in ms. A user waits for the embedding of a query; listings are embedded in the background. */
const queryTimeoutMs = 1_500
const listingsTimeoutMs = 30_000
/** Providers limit the size of a request differently; all of them accept this number of texts. */
const batchTexts = 64

/** Creates embeddings with the AI SDK. A failed query falls back to a word search, and a failed listing is embedded later. */
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
