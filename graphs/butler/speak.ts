import { deedTextIn } from '../../src/domain/consent/deedTexts.ts'
import type { ButlerDeps } from './deps.ts'
import { asked } from './metered.ts'
import type { ButlerState } from './state.ts'

/**
 * Says a text of code in the user's language. In a turn that a model read, its own checked words stand before it, and the text is
 * translated once and kept.
 */
export const say = async (deps: ButlerDeps, state: ButlerState, of: { key: string; text: string }): Promise<string> => {
  const words = state.language === '' ? '' : (state.called?.words ?? '')
  return [words, await speak(deps, state, of)].filter(Boolean).join('\n')
}

/** Translates a text into the user's language with the model. Without a model, or for English, it returns the text unchanged.
 * `key` identifies the text within the turn. */
export const speak = async (
  deps: ButlerDeps,
  { runId, language, until, turn }: ButlerState,
  { key, text }: { key: string; text: string },
): Promise<string> => {
  if (text === '' || language === '' || language === 'en') return text
  const fixed = deedTextIn(text, language)
  if (fixed !== undefined) return fixed
  const question = { runId, key: `phrase:${turn}:${key}`, until }
  return asked(deps, question, asking => deps.model.phrase({ text, language }, asking), text)
}
