import type { JsonObject } from '../../src/domain/json.ts'
import type { LanguageModel, Model, TurnCandidate } from '../../src/ports.ts'

const nothingOpen = { stage: 'none', hasJob: false, hasEnded: false } as const

/** A language model measured like the rules: each choice and each form is one call of a turn, and unchecked. */
export const measurable = (model: LanguageModel, rules: Model): Model => {
  const turn = async (text: string, candidates: TurnCandidate[]) => {
    const talk = { messages: [], jobs: [] }
    const of = { now: Date.now(), text, situation: nothingOpen, talk, shown: 0, candidates, looked: [] }
    return (await model.turn(of)).calls[0]
  }
  return {
    ...rules,
    id: model.id,
    async choose({ task, listings }) {
      const candidates = listings.map(it => ({
        ...it,
        agent: '',
        examples: it.examples ?? [],
        requirement: it.requirement ?? {},
      }))
      const call = await turn(task, candidates)
      const picks = call?.tool === 'propose_hire' ? call.candidates : []
      return { decision: picks.length > 0 ? 'propose' : 'none', picks, reason: '', sure: 1 }
    },
    async fill({ said, requirement, listing = '' }): Promise<JsonObject> {
      const [name = '', ...description] = listing.split('\n')
      const only = { name, agent: '', description: description.join('\n'), examples: [], price: '0', slaMinutes: 5, requirement }
      return (await turn(said.join('\n'), [only]))?.input ?? {}
    },
  }
}
