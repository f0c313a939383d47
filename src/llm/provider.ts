import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { EmbeddingModel, LanguageModel } from 'ai'

/** A model by its name, and who serves it: OpenAI, or any server of its interface at an address of its own. */
export type ModelSource = { model: string; apiKey: string } & (
  | { provider: 'openai' }
  | { provider: 'openai-compatible'; baseUrl: string }
)

type Provider = { languageModel(model: string): LanguageModel; embeddingModel(model: string): EmbeddingModel }

/** OpenAI is asked through its Responses API, all others through chat completions. */
const openProvider = (of: ModelSource): Provider =>
  of.provider === 'openai'
    ? createOpenAI({ apiKey: of.apiKey })
    : createOpenAICompatible({ name: of.provider, apiKey: of.apiKey, baseURL: of.baseUrl, supportsStructuredOutputs: true })

export const toLanguageModel = (of: ModelSource): LanguageModel => openProvider(of).languageModel(of.model)
export const toEmbeddingModel = (of: ModelSource): EmbeddingModel => openProvider(of).embeddingModel(of.model)
