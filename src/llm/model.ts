import type { Model } from '../ports.ts'
import { createAiModel } from './aiSdk.ts'
import type { ModelSource } from './provider.ts'
import { createRules } from './rules.ts'

/** Creates the configured model. Without one, it returns the rules, which need no network. */
export const createModel = (of: ModelSource | undefined, { dir }: { dir?: string | undefined } = {}): Model => {
  const rules = createRules({ dir })
  return of ? createAiModel(of, { rules }) : rules
}
