import { isStopWord } from '../../../src/language/words/words.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState } from '../state.ts'
import { begin } from './begin.ts'
import type { Step } from './heard.ts'

/** Lists offerings and proposes none. If the message names an agent, only its offerings are listed. */
export const list: Step = async (deps, state, of) => {
  const agent = await namedAgent(deps, state, of.text)
  return { ...(await begin(deps, state, of)), act: of.reading.act, isList: true, next: [], ...(agent && { agent }) }
}

/** Maximum words of an agent name in a message. */
const nameWords = 3
const namedAgent = async ({ findListings }: ButlerDeps, { chainId }: ButlerState, text: string): Promise<string | undefined> => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_.-]+/gu) ?? []
  for (let size = nameWords; size >= 1; size -= 1)
    for (let at = 0; at + size <= words.length; at += 1) {
      const agent = words.slice(at, at + size).join('-')
      if (size === 1 && isStopWord(agent)) continue
      if ((await findListings({ text, chainId, agent, maxPrice: undefined })).length > 0) return agent
    }
  return undefined
}

export const price: Step = (deps, state, of) => {
  const { stage } = of.situation
  return stage === 'proposal' || stage === 'choices' ? { act: 'price', to: 'answer' } : list(deps, state, of)
}
