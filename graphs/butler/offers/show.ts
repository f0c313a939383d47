import { span } from '../../../src/domain/durations.ts'
import type { Choice } from '../../../src/domain/runs/question.ts'
import type { ButlerDeps } from '../deps.ts'
import { speak } from '../speak.ts'
import type { ButlerState, Update } from '../state.ts'
import { sayUnread, unsaidOf } from '../unread.ts'
import { type Live, maxChoices, type Pointed } from './point.ts'

/** A listing is shown next to the best one if its score is at least this share of the best score. */
const nearShare = 0.75
export const whichOne = 'Which of these do you mean?'

/** Answers which offerings exist or what they cost. The recommended ones can then be picked. */
export const list = async (
  deps: ButlerDeps,
  state: ButlerState,
  { chosen, decision, several, live, near: likely }: Pointed,
): Promise<Update> => {
  const best = chosen ?? live[0]
  if (state.agent && best)
    return {
      pick: undefined,
      stage: 'none',
      choices: live.slice(0, maxChoices).map(toChoice),
      content: await deps.describeOffers(live.slice(0, 2).map(toChoice)),
    }
  const near = likely ?? live.filter(it => best && (it.ref.score ?? 0) >= (best.ref.score ?? 0) * nearShare)
  const shown = [...new Set(several.length > 1 ? several : [...(best ? [best] : []), ...near])].slice(0, maxChoices)
  if (state.act === 'price')
    return {
      pick: undefined,
      stage: 'none',
      choices: shown.map(toChoice),
      content: await speak(deps, state, { key: 'prices', text: toPrices(shown.slice(0, 2)) }),
    }
  const lead = shown.length > 1 ? `I suggest the first one. ${whichOne}` : 'This one does it. Shall I take it?'
  // What only shares words with the question is not said to do the work.
  return show(deps, state, { several: shown, lead: decision === 'none' ? whichOne : lead })
}

const toPrice = ({ listing: it }: Live) =>
  `“${it.name}” by ${it.agentName} (${it.agentHandle}) costs ${it.price} USDC and takes up to ${span(it.slaMinutes)}.`

const toPrices = (shown: Live[]) =>
  `${shown.map(toPrice).join('\n')}\nThat is all you pay; the fee is part of the price. Tell me what you need, and I propose it.`

/** Shows offerings to pick from. Their own words stay as they are. */
export const show = async (
  deps: ButlerDeps,
  state: ButlerState,
  { several, lead }: { several: Live[]; lead: string },
): Promise<Update> => {
  const shown = several.slice(0, maxChoices)
  const alive = await Promise.all(shown.map(it => deps.tellAlive(it.listing.agentId)))
  const lines = shown.map(
    ({ listing: it }, at) =>
      `${at + 1}. “${it.name}” by ${it.agentName} (${it.agentHandle}): ` +
      `${it.price} USDC, up to ${span(it.slaMinutes)}, ${alive[at]}. ` +
      `${it.description.split(/(?<=[.!?])\s/)[0]?.slice(0, 160) ?? ''}`,
  )
  // Whoever picks one sees first what of several parts was not read.
  const [message = ''] = state.act === 'task' && state.said.length === 1 ? state.said : []
  const unread = unsaidOf(message, [], lines).length > 0 ? sayUnread(message, lines) : ''
  const text = [lead, unread, 'Say which one, or what is different.'].filter(Boolean).join('\n')
  const [first = lead, ...last] = (await speak(deps, state, { key: 'choices', text })).split('\n')
  return {
    pick: undefined,
    stage: 'choices',
    choices: shown.map(toChoice),
    offered: [first, ...lines, ...last].join('\n'),
  }
}

export const toChoice = ({ listing }: Live): Choice => ({
  agent_handle: listing.agentHandle,
  agent_id: listing.agentId,
  offering_id: listing.id,
  name: listing.name,
  price: listing.price,
})
