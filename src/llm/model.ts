import { createApartRules } from '../language/reader/apartRules.ts'
import type { Model } from '../ports.ts'
import { createAiModel } from './aiSdk.ts'
import type { ModelSource } from './provider.ts'

/**
 * The language model that was configured, and the rules, which need no network and take its place when it fails. Without a
 * configured model the rules are the model.
 */
export const createModel = (
  of: ModelSource | undefined,
  { dir }: { dir?: string | undefined } = {},
): { model: Model; rules: Model } => {
  const rules = createApartRules({ dir })
  return { model: of ? createAiModel(of, { rules }) : rules, rules }
}
