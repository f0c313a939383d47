import { createApartRules } from '../language/reader/apartRules.ts'
import type { LanguageModel, Model } from '../ports.ts'
import { createAiModel } from './aiSdk.ts'
import { noModel } from './noModel.ts'
import type { ModelSource } from './provider.ts'

type Options = { dir?: string | undefined; timeoutMs?: number; firstTokenMs?: number }

/** The language model that was configured, or none, and the rules, which need no network and take its place when it fails. */
export const createModel = (
  of: ModelSource | undefined,
  { dir, ...limits }: Options = {},
): { model: LanguageModel; rules: Model } => ({
  model: of ? createAiModel(of, { ...limits, dir }) : noModel,
  rules: createApartRules({ dir }),
})
