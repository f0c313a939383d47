import { isConditional } from '../../../src/domain/consent/readConsent.ts'
import { isAbove, justBelow } from '../../../src/domain/money/money.ts'
import type { Proposal } from '../../../src/domain/runs/proposal.ts'
import { toDeed, toOffer } from '../../../src/domain/x402/purchaseProposal.ts'
import { isOnlyLimits } from '../../../src/language/values/wishes.ts'
import type { ButlerDeps, Recalled } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'
import { clockOf } from '../zones.ts'
import { begin } from './begin.ts'
import { asksForOthers, beginsCorrection } from './beside.ts'
import { answer, type Heard, type Step, unread } from './heard.ts'
import { isOffered } from './offered.ts'
import { choosing } from './pick.ts'

export const toAmend = (before: NonNullable<Recalled['before']>, text: string): Update => ({
  pick: { agentId: before.agentId, offeringId: before.offeringId, coverage: 1 },
  input: before.input,
  // A limit of the hire is no value of its input.
  said: isOnlyLimits(text) ? before.said : [...before.said, text],
  task: before.said.join(' '),
  want: before.said.join(' '),
  reason: 'It is the offering of your earlier request.',
  isAmended: true,
})

/** Changes the open proposal or choice, or else the most recent offering. */
export const amend: Step = async (deps, state, of) => {
  const { text, recalled, situation } = of
  const { stage, said, pick } = state
  const wishes = await readWishes(deps, state, of)
  if (stage === 'choices') return choosing(state, of)
  if (stage !== 'none' && pick) {
    const terms = state.proposal && toOffer(state.proposal)
    const isCondition = stage === 'proposal' && isConditional(text, terms)
    if (isCondition && Object.keys(wishes).length === 0) return answer('about', noConditions)
    const base = {
      act: 'change' as const,
      // The words of a condition are no values: "yes, but only if it is free" names no city.
      said: isCondition ? said : [...said, text],
      before: pick,
      voided: state.proposal?.digest ?? '',
      asked: true,
      notice: '',
    }
    const isLimits = of.called ? Object.keys(of.called.input).length === 0 : isCondition || isOnlyLimits(text)
    if (state.proposal && isLimits && !isLooser(state, wishes) && keeps(state.proposal, wishes))
      // Who asks whether the price is all is told what is paid, and not asked for a yes.
      return /[?？]\s*$/.test(text)
        ? { ...wishes, act: 'about', to: 'answer' }
        : { ...wishes, ...answer('change', `Shall I ${toDeed(state.proposal)}?`) }
    const isWider = Object.keys(wishes).length > 0
    // What somebody else should be like is searched for, and is no value.
    if (asksForOthers(text)) return { ...base, ...wishes, said, want: `${state.want || state.task}. ${text}`, to: 'search' }
    return isWider ? { ...base, ...wishes, to: 'search' } : { ...base, to: 'fill' }
  }
  const { before } = recalled
  if (!before) return situation.hasJob ? { ...wishes, act: 'about', to: 'answer' } : begin(deps, state, of)
  if (await isOtherTask(deps, state, of)) return begin(deps, state, of)
  const goesOn = situation.hasJob ? 'Your running job continues unchanged; this would be a new one.' : ''
  return {
    ...unread,
    act: 'change',
    to: 'fill',
    ...toAmend(before, text),
    ...(Object.keys(wishes).length > 0 && wishes),
    notice: goesOn,
  }
}

/** Whether a message that only resembles a change of the last offering says clearly what another one does. */
const isOtherTask = async (deps: ButlerDeps, state: ButlerState, of: Heard): Promise<boolean> => {
  const { text, reading, recalled } = of
  if (state.stage !== 'none' || reading.by !== 'rules' || reading.isPlain || !recalled.before || beginsCorrection(text))
    return false
  const { agentId, offeringId } = recalled.before
  return isOffered(deps, { ...state, pick: { agentId, offeringId, coverage: 1 } }, { text, reading: { ...reading, sure: 0 } })
}

/** Whether a limit allows more than the one before, so that another offering may fit better. */
const isLooser = (before: ButlerState, { maxPrice, withinMinutes }: Update): boolean =>
  (before.maxPrice !== undefined && maxPrice !== undefined && isAbove(maxPrice, before.maxPrice)) ||
  (before.withinMinutes !== undefined && withinMinutes !== undefined && withinMinutes > before.withinMinutes)

/** Whether a message only sets limits that the open proposal keeps, so that nothing else is searched. */
const keeps = ({ total, slaMinutes }: Proposal, { maxPrice, withinMinutes, ...others }: Update): boolean => {
  const isOfLimits = maxPrice !== undefined || withinMinutes !== undefined
  if (!isOfLimits || Object.keys(others).length > 0) return false
  const isCheap = maxPrice === undefined || !isAbove(total, maxPrice)
  return isCheap && (withinMinutes === undefined || slaMinutes <= withinMinutes)
}

const noConditions = 'I hire on the terms of the proposal or not at all, so a yes with a condition is none.'

const cheaper = /\b(?:cheap(?:er)?|less expensive|lower price|too (?:expensive|dear|much)|half the price|costly)\b/i
const faster = /\b(?:faster|quicker|sooner|too slow)\b/i
const another = /\b(?:some(?:one|body) else|another (?:agent|one|provider)|other agent|different agent)\b/i

/** Returns the limits on price, time and agent in a change. */
const readWishes = async (deps: ButlerDeps, { proposal }: ButlerState, of: Heard): Promise<Update> => {
  const { text, reading } = of
  const { maxPrice, agent, category, withinMinutes } =
    reading.slots?.wish ?? (await deps.rules.understand(text, clockOf(text, deps.now(), of.recalled.timeZone)))
  const below =
    !maxPrice && proposal && cheaper.test(text) ? justBelow(proposal.total, deps.usdcDecimals(proposal.chainId)) : undefined
  const sooner = withinMinutes === undefined && proposal && faster.test(text) ? Math.max(1, proposal.slaMinutes - 1) : undefined
  const most = maxPrice ?? below
  const span = withinMinutes ?? sooner
  return {
    ...(most !== undefined && { maxPrice: most }),
    ...(span !== undefined && { withinMinutes: span }),
    ...(agent && { agent }),
    ...(category && { category }),
    ...(proposal && (another.test(text) || asksForOthers(text)) && { avoid: proposal.agentId }),
  }
}
