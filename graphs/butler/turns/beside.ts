import type { JsonObject } from '../../../src/domain/json.ts'
import { isWords, toSlot } from '../../../src/language/fields/fields.ts'
import { toLeaves } from '../../../src/language/fields/requirement.ts'
import { fillRequest } from '../../../src/language/filling/fillRequest.ts'
import type { ButlerDeps, Recalled } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'
import { picked } from './pick.ts'

// Messages beside an open proposal that resemble a question about it: one for another agent, and one that gives a new value.

const start = String.raw`^(?:[^.!?\n]{0,40}[.!?,]\s*)?(?:(?:ok(?:ay)?|and|but|hm+|well|so)[\s,]+)*`
const whether = `(?:(?:is|are|isn['’]?t|aren['’]?t) there|(?:do|have) you(?: have| got| know)?|anyone|anybody|who|can|could|does)`
const other = `(?:(?:some|any)(?:one|body) (?:else|who|that|cheaper|faster|quicker|better)|others|other (?:agents?|ones?|people|sellers?|providers?|offers?)|another|who else|else|(?:some|any)(?:one|body) (?:real|human))`
const human = `there (?:also )?(?:an? )?(?:real |human )?(?:person|human|expert|professional|specialist|lawyer)`
const asksOthers = new RegExp(
  String.raw`${start}(?:${whether}\b[^.!?\n]{0,30}\b(?:${other}|${human})\b|who else\b|(?:some|any)(?:one|body) (?:else|cheaper|faster|quicker))`,
  'iu',
)
/** Whether a message asks if somebody else does the same work. */
export const asksForOthers = (text: string): boolean => asksOthers.test(text)

const thatOne =
  /^\W*(?:(?:ok(?:ay)?|yes|well|then|alright|fine|good|so|rather|no)[\s,]+)*(?:(?:i(?:['’]ll| will)? )?(?:take|hire|use|prefer|want|let) )?(?:that one|the other(?: one)?|them|him|her)\b(?! (?:is|are|was|were|has|have|does|do)\b)/i
/** Takes the offering that the last answer named beside the open proposal: "that one then". */
export const pickBeside = (state: ButlerState, text: string): Update | undefined => {
  const [named, ...others] = state.choices.filter(
    it => it.agent_id !== state.pick?.agentId || it.offering_id !== state.pick.offeringId,
  )
  if (state.stage !== 'proposal' || !named || others.length > 0 || !thatOne.test(text)) return undefined
  return { ...picked(state, named, ''), said: state.said, maxPrice: undefined, asked: true, notice: '' }
}

const asking =
  /\?\s*$|^\W*(?:who|what|why|how|when|where|which|whose|is|are|was|were|do|does|did|can|could|will|would|should|has|have)\b/i
const supposing =
  /^\W*(?:what if|how about|(?:could|can|may) (?:it|we|you|(?:the|that|this) [\p{L} ]{2,20}?) (?:be|make|say|read|have|use|change|add|include))(?!\p{L})/iu

/** Whether a message that is no question gives an input of the open proposal another value that has a form. */
export const givesValue = async (deps: ButlerDeps, state: ButlerState, text: string): Promise<boolean> => {
  const { pick, input, stage } = state
  if (stage !== 'proposal' || !pick || (asking.test(text) && !supposing.test(text))) return false
  return givesValueOf(deps, { ...pick, input }, text)
}

/** Whether a message gives an input of an offering a value that has a form, and another one than is known. */
export const givesValueOf = async (
  deps: ButlerDeps,
  { agentId, offeringId, input: known }: Pick<NonNullable<Recalled['before']>, 'agentId' | 'offeringId' | 'input'>,
  text: string,
): Promise<boolean> => {
  const listing = await deps.readListing(agentId, offeringId)
  if (!listing) return false
  const of = { text, requirement: listing.requirement, now: deps.now(), listing: `${listing.name}\n${listing.description}` }
  const { values, given, typed } = fillRequest({ ...of, known })
  return typed > 0 && given.some(name => JSON.stringify(values[name]) !== JSON.stringify(known[name]))
}

const corrects =
  /^\W*(?:(?:oh|no|sorry|hm+|wait|ok(?:ay)?|well|and|but)[\s,.]+)*(?:actually|rather|i meant?|make (?:it|that)|change|instead|better|on (?:reflection|second thoughts?)|let['’]s (?:say|make it))(?![\p{L}])/iu
/** Whether a message begins like a correction of what was said: "actually twenty, and no answers". */
export const beginsCorrection = (text: string): boolean => corrects.test(text)

const addsTo =
  /^\W*(?:(?:and|oh|ok(?:ay)?|please|just|maybe|also|can you|could you|would you|will you)[\s,]+)*(?:add|put|include|mention|say|write in|work in|leave out|drop)\b/i
/** Whether a message tells what else belongs into the work of an open proposal: "could you also put in that …". */
export const addsWords = (text: string): boolean => addsTo.test(text)

const asksBack = /^\W*(?:and |but |ok |so )?(?:where|what|which|how|why|who|when)\b[^?]*\?\s*$/i
/** Whether an answer is a question about what was asked for, and gives no value of it: "where do I find the size?" */
export const isQuestionBack = async (deps: ButlerDeps, state: ButlerState, text: string): Promise<boolean> => {
  const { pick, input, questions, stage, drafts } = state
  if (stage !== 'ask' || !pick || drafts.length > 0 || !asksBack.test(text)) return false
  const listing = await deps.readListing(pick.agentId, pick.offeringId)
  if (!listing) return false
  const asked = { fields: questions.map(it => it.field) }
  // A text that is asked for may be a question itself.
  if (toLeaves(listing.requirement).some(it => asked.fields.includes(it.path[0] ?? '') && isWords(toSlot(it)))) return false
  const of = { text, requirement: listing.requirement, now: deps.now(), listing: `${listing.name}\n${listing.description}` }
  const known: JsonObject = input
  return fillRequest({ ...of, known, asked }).typed === 0
}
