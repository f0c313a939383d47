import type { Model } from '../ports.ts'
import { createAiModel } from './aiSdk.ts'
import type { Provider } from './languageModel.ts'
import { createRules } from './rules.ts'

/** Small, cheap and able to follow a schema; the questions are short. */
const defaultOpenAiModel = 'gpt-4.1-mini'

/**
 * The model that a configuration names. Without a key and without an own server's address: the rules, which need no network.
 * @throws RangeError when an own server is named without a model
 */
export const createModel = (config: { provider?: Provider; model?: string; apiKey?: string; baseUrl?: string }): Model => {
  const { apiKey, baseUrl } = config
  if (!apiKey && !baseUrl) return createRules()
  const provider = config.provider ?? (baseUrl ? 'openai-compatible' : 'openai')
  const model = config.model ?? (provider === 'openai' ? defaultOpenAiModel : undefined)
  if (!model) throw new RangeError('an OpenAI-compatible server needs the name of a model')
  // Local servers take any key.
  return createAiModel({ provider, model, apiKey: apiKey ?? 'none', baseUrl })
}
