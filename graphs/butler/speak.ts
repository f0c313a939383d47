import type { ButlerDeps } from './deps.ts'
import { asked } from './metered.ts'
import type { ButlerState } from './state.ts'

/** A text in the language of the user, where a model speaks it; else the text itself. `key` names the text within the turn. */
export const speak = async (
  deps: ButlerDeps,
  { runId, language, until, turn }: ButlerState,
  { key, text }: { key: string; text: string },
): Promise<string> => {
  if (text === '' || language === '' || language === 'en') return text
  const question = { runId, key: `phrase:${turn}:${key}`, until }
  return asked(deps, question, (model, asking) => model.phrase({ text, language }, asking))
}
