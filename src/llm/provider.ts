import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { EmbeddingModel, LanguageModel } from 'ai'

/** The name of a model and its provider: OpenAI, or a compatible server at `baseUrl`. */
export type ModelSource = { model: string; apiKey: string } & (
  | { provider: 'openai' }
  | { provider: 'openai-compatible'; baseUrl: string }
)

type Provider = { languageModel(model: string): LanguageModel; embeddingModel(model: string): EmbeddingModel }

/** OpenAI is called through its Responses API; other providers through chat completions. */
const openProvider = (of: ModelSource): Provider =>
  of.provider === 'openai'
    ? createOpenAI({ apiKey: of.apiKey })
    : createOpenAICompatible({ name: of.provider, apiKey: of.apiKey, baseURL: of.baseUrl, supportsStructuredOutputs: true })

export const toLanguageModel = (of: ModelSource): LanguageModel => openProvider(of).languageModel(of.model)
export const toEmbeddingModel = (of: ModelSource): EmbeddingModel => openProvider(of).embeddingModel(of.model)
