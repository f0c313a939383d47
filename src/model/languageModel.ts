import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModel } from 'ai'

export type Provider = 'openai' | 'openai-compatible'
export type LanguageModelConfig = { provider: Provider; model: string; apiKey: string; baseUrl?: string }

/** Ollama's address; other servers of the same interface name theirs. */
const localBaseUrl = 'http://127.0.0.1:11434/v1'

/** The configured model. OpenAI is asked through its Responses API, all others through chat completions. */
export const toLanguageModel = ({ provider, model, apiKey, baseUrl }: LanguageModelConfig): LanguageModel => {
  if (provider === 'openai') return createOpenAI({ apiKey, baseURL: baseUrl })(model)
  const options = { name: provider, apiKey, baseURL: baseUrl ?? localBaseUrl, supportsStructuredOutputs: true }
  return createOpenAICompatible(options)(model)
}
