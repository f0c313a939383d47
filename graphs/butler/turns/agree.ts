import { toAboveText } from '../limitTexts.ts'
import { toAmend } from './amend.ts'
import { answer, type Step, unread } from './heard.ts'
import { picked } from './pick.ts'

/** Handles a yes: to the open choice or proposal, or else to the offering that the conversation mentioned last. */
export const agree: Step = (_, state, { text, recalled, situation, reading }) => {
  const { stage, heard, proposal, purchase, planned, most, said } = state
  if (stage === 'choices') return picked(state, state.choices[0], text)
  if (stage === 'proposal') {
    if (!reading.isPlain) return answer('yes', notHere)
    if (heard?.digest !== (planned ?? proposal ?? purchase)?.digest) return answer('yes', changedSince)
    if (!heard?.mayAgree) return answer('yes', notHere)
    const above = planned ? toAboveText(planned.total, most) : ''
    if (above !== '') return answer('yes', `${above} Or say the limit anew, and then yes.`)
    return { act: 'yes', to: 'consent', heard, asked: true }
  }
  const { before, offers } = recalled
  // What a refusal named as the nearest offering was not offered, so a yes says nothing about it.
  if (situation.stage === 'offers' && recalled.isNearest) return { act: 'yes', to: 'answer' }
  if (situation.stage === 'offers') return picked({ ...state, said: before?.said ?? [] }, offers[0], text)
  if (situation.stage === 'left' && before) return { ...unread, act: 'change', to: 'fill', ...toAmend(before, said.at(-1) ?? '') }
  return { act: 'yes', to: 'answer' }
}

const changedSince = 'The terms changed after your yes, so it did nothing.'
const notHere =
  'I did nothing: your yes may be for the earlier proposal, or a program sent it. ' +
  'To accept this one, say yes again, or confirm with its digest.'
