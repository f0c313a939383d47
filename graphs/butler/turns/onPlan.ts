import { toPlanPriceText, toPlanText } from '../../../src/domain/plans/planText.ts'
import { namesWhole } from '../../../src/domain/plans/references.ts'
import { toNoHurry } from '../../../src/domain/runTexts/butler.ts'
import { isLimit } from '../../../src/language/tasks/limitHead.ts'
import { deniesValue, type Named, readSkips, readStepChange } from '../../../src/language/tasks/planWords.ts'
import { takePrice } from '../../../src/language/text/limits.ts'
import { putsOff } from '../../../src/language/text/stalling.ts'
import { isOnlyLimits } from '../../../src/language/values/wishes.ts'
import { asksPrice, isOfPrice } from '../../../src/language/words/vocabulary.ts'
import { splitWords } from '../../../src/language/words/words.ts'
import type { ButlerState, Draft, Update } from '../state.ts'
import { beginsCorrection } from './beside.ts'
import { answer, type Heard, type Step } from './heard.ts'
import { shareReply } from './planReply.ts'

/** The open plan is written anew. */
const again = (drafts: Draft[], notice = ''): Update => ({
  act: 'change',
  to: 'plan',
  planned: undefined,
  questions: [],
  stage: 'none',
  asked: true,
  isAnswered: false,
  content: '',
  drafts,
  notice,
})

/** What names each step of an open plan, or of one that lacks values. */
const namesOf = ({ drafts, planned }: ButlerState): Named[] =>
  drafts.map(({ words, values }, at) => ({
    values: Object.values(values).map(String).join(' '),
    words: `${planned?.steps[at]?.terms.offeringName ?? ''} ${words}`,
  }))

/**
 * A change of the open plan by form: steps to leave out, or a value for one step. Steps that took the result of one that is left
 * out are asked for it. Undefined for every other message.
 */
export const changePlan = (state: ButlerState, text: string): Update | undefined => {
  const { drafts, planned, stage, unplanned } = state
  if (drafts.length === 0 || (stage !== 'ask' && stage !== 'proposal')) return undefined
  const names = namesOf(state)
  const skips = readSkips(text, names)
  const isAsking = stage === 'ask' && drafts.length > 1 && skips.length > 0
  if (!isAsking && (stage !== 'proposal' || !planned)) return undefined
  const change = readStepChange(text, names)
  const unknown = [...skips, change?.number ?? 1].find(it => it > drafts.length)
  if (unknown !== undefined) return answer('about', `The plan has ${drafts.length} steps, so there is no step ${unknown}.`)
  if (skips.length === drafts.length) return { act: 'no', to: 'answer' }
  if (skips.length > 0)
    return { ...again(drafts.filter((_, at) => !skips.includes(at + 1))), unplanned, ...skippedOf(state, skips) }
  const most = limitIn(text)
  // Which steps there are stays; what they may cost together is said before the yes.
  if (!change) return most === undefined ? undefined : { ...again(drafts), unplanned, most }
  if (drafts[change.number - 1]?.resource) return answer('about', toFixed(change.number))
  const changed = drafts.map((it, at) =>
    at + 1 === change.number ? { ...it, said: [...wordsOf(it), change.words], isChanged: true } : it,
  )
  return { ...again(changed), unplanned }
}

/** The words of the steps that the user left out. */
const skippedOf = ({ drafts, skipped = [] }: ButlerState, numbers: readonly number[]): Update => ({
  skipped: [...skipped, ...drafts.flatMap((it, at) => (numbers.includes(at + 1) ? [it.words] : []))],
})

/** The limit that a message says of a whole plan. */
const limitIn = (text: string): string | undefined => {
  const isOfAll = isLimit(text) || isOnlyLimits(text) || namesWhole(text)
  return isOfAll && !text.trim().endsWith('?') ? takePrice(text).found : undefined
}

const unplaced = 'I could not tell which step that changes, so nothing of the plan has changed.'

const toFixed = (number: number): string => `The seller sets the terms of step ${number}. “Skip ${number}” leaves it out.`

/** A change of single steps, or answers to their questions, as a model read them. Undefined for every other message. */
export const changeSteps = (state: ButlerState, { text, called }: Heard): Update | undefined => {
  const { drafts, planned, stage, unplanned } = state
  const parts = (called?.several ?? []).filter(it => it.tool === 'change_proposal' && it.step > 0)
  const isAsking = stage === 'ask' && drafts.length > 0
  if (parts.length === 0 || !(isAsking || (stage === 'proposal' && planned))) return undefined
  const fixed = parts.find(it => !it.isLeftOut && drafts[it.step - 1]?.resource)
  if (fixed) return answer('about', toFixed(fixed.step))
  const changed = drafts.flatMap((it, at) => {
    const part = parts.find(one => one.step === at + 1)
    if (!part) return [it]
    return part.isLeftOut ? [] : [{ ...it, said: [...wordsOf(it), text], isChanged: !isAsking, called: part }]
  })
  if (changed.length === 0) return { act: 'no', to: 'answer' }
  const out = parts.flatMap(it => (it.isLeftOut ? [it.step] : []))
  const cut = out.length > 0 ? skippedOf(state, out) : {}
  return isAsking ? { act: 'answer', to: 'plan', drafts: changed, ...cut } : { ...again(changed), unplanned, ...cut }
}

const wordsOf = ({ said, words }: Draft): string[] => (said.length > 0 ? said : [words])

/** Whether a reply names a field that a step of a plan asks for: “city: Oslo”. */
export const namesQuestion = ({ stage, drafts, questions }: ButlerState, text: string): boolean =>
  stage === 'ask' && drafts.length > 0 && questions.some(it => text.toLowerCase().includes(`${it.field.toLowerCase()}:`))

/** Gives the reply to the questions of several steps to those that asked. */
export const answerPlan = ({ drafts }: ButlerState, text: string): Update => ({
  act: 'answer',
  to: 'plan',
  drafts: shareReply(drafts, text),
})

/** Acts that are about what is open, and not about the account or the service. */
const asksOf = ['about', 'price', 'recommend', 'change', 'answer', 'pick', 'pay']

/** A message about the open plan that neither agrees to it nor changes it by form. Undefined where another step answers it. */
export const aboutPlan: (...of: Parameters<Step>) => Update | undefined = (_, { planned }, { reading, called, text }) => {
  if (!planned || !asksOf.includes(reading.act)) return undefined
  if (called?.topic === 'later' || putsOff(text)) return answer('about', toNoHurry(planned.lapsesAt))
  const isPriced = asksPrice(text) || (/\?\s*$/.test(text) && splitWords(text).some(isOfPrice))
  if (reading.act === 'price' || isPriced) return answer('price', toPlanPriceText(planned))
  const isCorrection = reading.act === 'change' || reading.act === 'answer' || deniesValue(text) || beginsCorrection(text)
  const how = 'To change a step, say its number and the value, such as “2. city: Oslo”. “Skip 2” leaves a step out.'
  return answer(reading.act, `${isCorrection ? unplaced : toPlanText(planned)}\n${how}`)
}
