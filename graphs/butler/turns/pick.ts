import type { Choice } from '../../../src/domain/runs/question.ts'
import { toTerms } from '../../../src/language/words/words.ts'
import type { ButlerState, Update } from '../state.ts'
import type { Heard, Step } from './heard.ts'

const ordinals: [RegExp, number][] = [
  [/\b(?:first|1st|number one|no\.? ?1|option (?:1|one|a)|top one)\b|^\W*[1a]\W*$/i, 0],
  [/\b(?:second|2nd|number two|no\.? ?2|number 2|option (?:2|two|b))\b|^\W*[2b]\W*$/i, 1],
  [/\b(?:third|3rd|number three|no\.? ?3|number 3|option (?:3|three|c))\b|^\W*[3c]\W*$/i, 2],
  [/\b(?:fourth|4th|number four|number 4)\b|^\W*4\W*$/i, 3],
]

/** Picks one of the offerings shown, by its position, price, name or shared words. */
export const choosing = (state: ButlerState, { text, reading }: Pick<Heard, 'text' | 'reading'>): Update => {
  const { choices } = state
  const found = findSaid(choices, text)
  const pointed = choices[reading.slots?.choice ?? -1] ?? found
  // A choice that only the model recognised is proposed to the user, and no mandate confirms it.
  return { ...picked(state, pointed, text), ...(pointed !== found && { asked: true }) }
}

const findSaid = (choices: Choice[], text: string): Choice | undefined => {
  const byPlace = ordinals.find(([pattern]) => pattern.test(text))?.[1]
  const byPrice = [...choices].sort((a, b) => Number(a.price) - Number(b.price))
  const lower = text.toLowerCase()
  const named = choices.filter(it => lower.includes(it.agent_handle.toLowerCase()) || lower.includes(it.name.toLowerCase()))
  return (
    (/\blast\b/i.test(text) ? choices.at(-1) : undefined) ??
    (byPlace === undefined ? undefined : choices[byPlace]) ??
    (/\bcheap(?:er|est)?\b/i.test(text) ? byPrice[0] : undefined) ??
    (/\b(?:expensive|dearest)\b/i.test(text) ? byPrice.at(-1) : undefined) ??
    (named.length === 1 ? named[0] : undefined) ??
    bySharedWords(choices, text)
  )
}

/** Returns the one offering whose name shares the most words with the message. */
const bySharedWords = (choices: Choice[], text: string): Choice | undefined => {
  const said = new Set(toTerms(text))
  const counts = choices.map(it => new Set(toTerms(`${it.name} ${it.agent_handle}`).filter(term => said.has(term))).size)
  const most = Math.max(0, ...counts)
  const best = choices.filter((_, at) => counts[at] === most)
  return most > 0 && best.length === 1 ? best[0] : undefined
}

const onlyPlace =
  /^\W*(?:(?:i(?:['’]ll)?|take|the|option|number|no\.?|pick|choose)\s+)*(?:[1-4]|[a-c]|first|second|third|fourth|last|1st|2nd|3rd|4th|one|two|three|four|cheap(?:er|est)?)(?: one)?(?:,? (?:please|pls))?\W*$/i
export const picked = ({ said }: ButlerState, it: Choice | undefined, text: string): Update => {
  // A place in the list is no value of an input.
  const all = onlyPlace.test(text) ? said : [...said, text]
  if (!it) return { act: 'pick', to: 'search', said: all, task: all.join(' '), want: all.join('. '), isList: false, choices: [] }
  const pick = { agentId: it.agent_id, offeringId: it.offering_id, coverage: 1 }
  return { act: 'pick', to: 'fill', pick, said: all, stage: 'none', choices: [], reason: 'You picked it.' }
}

export const pickOne: Step = (_, state, of) => {
  if (state.stage === 'choices') return choosing(state, of)
  return choosing({ ...state, choices: of.recalled.offers, said: of.recalled.before?.said ?? [] }, of)
}
