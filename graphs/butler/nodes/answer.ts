import { smallTalk } from '../../../src/domain/runs/turnCall.ts'
import type { ButlerDeps } from '../deps.ts'
import { say } from '../speak.ts'
import type { ButlerState, Update } from '../state.ts'

/** Answers a message that is no hire, from database rows, and returns to the open question or proposal. Declining closes it. */
export const answer =
  (deps: ButlerDeps) =>
  async (state: ButlerState): Promise<Update> => {
    const { respond, tell, declinePurchase } = deps
    const { runId, said, act = 'none', content: words, turn, stage, proposal, purchase, questions, choices, next, called } = state
    const text = state.words || said.at(-1) || ''
    const isTalk = called?.topic === smallTalk && called.words !== ''
    const own = isTalk
      ? ''
      : words || (await respond({ runId, turn, act, text, topic: called?.topic, proposal, purchase, questions, choices, next }))
    const told = await say(deps, state, { key: 'answer', text: own })
    if (act === 'no' && purchase) await declinePurchase(runId)
    if (act === 'no' && stage !== 'none')
      await tell(runId, { kind: 'declined', summary: text, data: { act }, key: `declined:${turn}` })
    // The next message can still pick from the offerings that were shown. Any other answer ends the choice.
    if (stage === 'none' || stage === 'choices' || act === 'no') {
      const left = act === 'no' && proposal ? [toChoice(proposal)] : choices
      return { content: told, notice: '', stage: 'none', choices: left, next: [] }
    }
    await tell(runId, { kind: 'answer', summary: told, data: { act }, key: `answer:${turn}` })
    return { content: '', notice: told, isAnswered: true }
  }

const toChoice = ({ agentHandle, agentId, offeringId, offeringName, price }: NonNullable<ButlerState['proposal']>) => ({
  agent_handle: agentHandle,
  agent_id: agentId,
  offering_id: offeringId,
  name: offeringName,
  price,
})
