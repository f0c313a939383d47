import type { Shown } from '../../../src/ports.ts'
import type { ButlerDeps, Recalled } from '../deps.ts'
import type { ButlerState } from '../state.ts'

/** What the user sees when writing the newest message, for a model that reads it. */
export const toShown = async ({ readListing }: ButlerDeps, state: ButlerState, { offers }: Recalled): Promise<Shown> => {
  const { stage, pick, input, proposal } = state
  const shown = stage === 'choices' ? state.choices : stage === 'none' ? offers : []
  const choices = shown.map(it => ({ name: it.name, agent: it.agent_handle, price: it.price }))
  const isOpen = stage === 'ask' || stage === 'proposal'
  const listing = isOpen && pick ? await readListing(pick.agentId, pick.offeringId) : undefined
  if (!listing) return { questions: [], choices }
  return {
    offering: { name: listing.name, agent: listing.agentHandle, price: proposal?.total ?? listing.price },
    requirement: listing.requirement,
    input,
    questions: stage === 'ask' ? state.questions.map(it => it.words) : [],
    choices,
  }
}
