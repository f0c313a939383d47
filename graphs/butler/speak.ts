import { deedTextIn } from '../../src/domain/consent/deedTexts.ts'
import { gapIn, sayIn } from '../../src/domain/phrases/sayIn.ts'
import type { ButlerDeps } from './deps.ts'
import { asked } from './metered.ts'
import type { ButlerState } from './state.ts'

/**
 * Says a text of code in the user's language. In a turn that a model read, its own checked words stand before it, and the text is
 * translated once and kept.
 */
export const say = async (deps: ButlerDeps, state: ButlerState, of: { key: string; text: string }): Promise<string> => {
  const words = state.called?.words ?? ''
  return [words, await speak(deps, state, of)].filter(Boolean).join(gapIn(state.language))
}

/**
 * Says a text in the user's language: by the tables, and what they do not have by the model, if there is one. `key` identifies
 * the text within the turn.
 */
export const speak = async (
  deps: ButlerDeps,
  { runId, language, until, turn }: ButlerState,
  { key, text }: { key: string; text: string },
): Promise<string> => {
  if (text === '' || language === '' || language === 'en') return text
  const fixed = deedTextIn(text, language)
  if (fixed !== undefined) return fixed
  const own = sayIn(text, language)
  if (own.isWhole) return own.text
  const question = { runId, key: `phrase:${turn}:${key}`, until }
  const said = await asked(deps, { ...question, instead: text }, asking => deps.model.phrase({ text, language }, asking))
  return said === text ? own.text : said
}
