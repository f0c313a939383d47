import type { ButlerDeps } from './deps.ts'
import { asked } from './metered.ts'
import type { ButlerState } from './state.ts'

/** Translates a text into the user's language with the model. Without a model, or for English, it returns the text unchanged.
 * `key` identifies the text within the turn. */
export const speak = async (
  deps: ButlerDeps,
  { runId, language, until, turn }: ButlerState,
  { key, text }: { key: string; text: string },
): Promise<string> => {
  if (text === '' || language === '' || language === 'en') return text
  const question = { runId, key: `phrase:${turn}:${key}`, until }
  return asked(deps, question, (model, asking) => model.phrase({ text, language }, asking))
}
