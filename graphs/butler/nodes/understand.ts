import { toShownDigest } from '../../../src/domain/consent/digest.ts'
import { beginsLike, refuses } from '../../../src/domain/consent/readConsent.ts'
import { careText, withoutDistress } from '../../../src/domain/harm/distress.ts'
import type { JsonObject } from '../../../src/domain/json.ts'
import { limits } from '../../../src/domain/limits.ts'
import { english } from '../../../src/domain/phrases/tables/english.ts'
import { type Act, canBeMeant } from '../../../src/domain/runs/acts.ts'
import { toUnderstoodText } from '../../../src/domain/runTexts/butler.ts'
import { toQuotable } from '../../../src/domain/text/quotableText.ts'
import { toDeed, toOffer } from '../../../src/domain/x402/purchaseProposal.ts'
import { asksForText, namesField } from '../../../src/language/fields/askedField.ts'
import { readMarketQuestion } from '../../../src/language/text/marketQuestion.ts'
import { namesAgent } from '../../../src/language/text/namedAgent.ts'
import { languageOf, tellLanguage } from '../../../src/language/words/language.ts'
import { boundByForm, isUnclear, replyTo } from '../byForm.ts'
import { readForAgent, readTurn } from '../call/readTurn.ts'
import { decide, needJob, toDoubt } from '../decide.ts'
import type { ButlerDeps, Recalled } from '../deps.ts'
import { tooLong } from '../phrases.ts'
import type { ButlerState, Update } from '../state.ts'
import { agree } from '../turns/agree.ts'
import { amend } from '../turns/amend.ts'
import { begin } from '../turns/begin.ts'
import {
  addsWords,
  asksForOthers,
  beginsCorrection,
  givesValue,
  givesValueOf,
  isQuestionBack,
  pickBeside,
} from '../turns/beside.ts'
import { answer, type Heard, type Step, unread } from '../turns/heard.ts'
import { aboutAgent, costAsked, list, listWork, price } from '../turns/list.ts'
import { isOffered } from '../turns/offered.ts'
import { aboutPlan, answerPlan, changePlan, changeSteps, namesQuestion } from '../turns/onPlan.ts'
import { aboutPurchase, pay } from '../turns/pay.ts'
import { pickOne } from '../turns/pick.ts'

/** Finds the act of the newest message in its situation and decides which node follows. */
export const understand =
  (deps: ButlerDeps) =>
  async (state: ButlerState): Promise<Update> => {
    const { runId, said, target, heard, stage, turn } = state
    const whole = heard?.text ?? said.at(-1) ?? ''
    const rest = withoutDistress(whole)
    const text = rest || whole
    const until = deps.now() + deps.modelMs
    if (target && stage === 'none') return { ...(await readDirect(deps, state, target)), turn: turn + 1 }
    if (turn >= limits.turns)
      return { ...unread, act: 'none', to: 'reply', content: [tooLong, await deps.unpaid(runId)].filter(Boolean).join(' ') }
    const recalled = await deps.recall(runId)
    const situation = stage === 'none' ? recalled.situation : { ...recalled.situation, stage }
    const isTextAsked = stage === 'ask' && state.questions.some(asksForText)
    const { read, called } = await readTurn(deps, state, { text, situation, recalled, isTextAsked, until })
    const reading = boundByForm(read, { text, stage, wasDeclined: recalled.wasDeclined })
    // A plain yes or no names no field.
    const requirement = read.isPlain ? undefined : await openRequirement(deps, state)
    const heardAs = { text, reading, situation, recalled, requirement, called }
    // A model that fails once is not waited for again in this turn.
    const spoken = { until: reading.by === deps.model.id ? until : 0, language: spokenIn(state, heardAs), called }
    const reply = isTextAsked ? undefined : replyTo(text, read, recalled.wasDeclined)
    const followed = reply === undefined ? await follow(deps, state, heardAs) : answer(reply.act, reply.words)
    const update = rest === undefined || isTextAsked ? followed : withCare(followed, rest)
    await deps.tell(runId, {
      kind: 'understood',
      summary: toUnderstoodText(update.act === 'task' ? (update.task ?? text) : undefined),
      data: { act: update.act ?? 'none', model: reading.by, ...toData(update) },
      key: `understood:${turn}`,
    })
    // Another request takes the place of an open plan, or it is written anew: what is left of it may be a single hire.
    if (state.planned && 'planned' in update && !update.planned) await deps.declinePlan(runId)
    const wishes = called ? { wishes: [...new Set([...(update.act === 'task' ? [] : state.wishes), ...called.wishes])] } : {}
    return { turn: turn + 1, heard: undefined, decision: undefined, ...zoneOf(recalled), ...spoken, ...wishes, ...update }
  }

/** What somebody in danger said is answered first, then the task of the same message goes on. */
const withCare = (update: Update, rest: string): Update => {
  if (!/\p{L}/u.test(rest)) return answer('about', careText)
  if (update.to === 'answer') return { ...update, act: 'about', content: [careText, update.content].filter(Boolean).join(' ') }
  return { ...update, notice: [careText, update.notice].filter(Boolean).join('\n') }
}

/** The requirement of the offering whose question or proposal is open. */
const openRequirement = async ({ readListing }: ButlerDeps, { stage, pick }: ButlerState): Promise<JsonObject | undefined> => {
  const isOpen = stage === 'ask' || stage === 'proposal'
  return isOpen && pick ? (await readListing(pick.agentId, pick.offeringId))?.requirement : undefined
}

/** The zone of the user, where it is known. */
const zoneOf = ({ timeZone }: Recalled): Update => (timeZone === undefined ? {} : { timeZone })

/** A message to an agent that was called directly is always a task. */
const readDirect = async (deps: ButlerDeps, state: ButlerState, agent: string): Promise<Update> => {
  const until = deps.now() + deps.modelMs
  const recalled = await deps.recall(state.runId)
  const { called, isLate } = await readForAgent(deps, state, { agent, recalled, until })
  return {
    ...unread,
    act: 'task',
    to: 'search',
    task: state.said.join('\n'),
    agent,
    until: isLate ? 0 : until,
    ...zoneOf(recalled),
    called,
    wishes: called?.wishes ?? [],
  }
}

/**
 * The language of the answer: that of the message, as the model or its words tell. A message that tells none, such as a name or
 * "ok", keeps the language of the one before.
 */
const spokenIn = ({ language }: ButlerState, { text, reading, recalled }: Heard): string => {
  // A yes or no has too few words: "sim, por favor" looks Spanish.
  const kept = reading.isPlain && language !== 'en' ? language : ''
  const own = reading.slots?.language ?? (kept || (tellLanguage(text) ?? language))
  const told = own || (recalled.language ?? '')
  return reading.by === 'rules' && told === 'en' ? '' : told
}

const toData = ({ task, maxPrice, agent, withinMinutes, category }: Update) => ({
  ...(task && { task }),
  ...(maxPrice && { max_price: maxPrice }),
  ...(agent && { agent }),
  ...(withinMinutes !== undefined && { within_minutes: withinMinutes }),
  ...(category && { category }),
})

/** A refusal of at most this many words is understood in any language. */
const shortWords = 2
/** Acts that ask about a named agent and do not hire it. */
const asksOf: readonly Act[] = ['recommend', 'price', 'about']
/** Acts that reply to a proposed purchase. */
const asksOfPurchase: readonly Act[] = ['change', 'about', 'price', 'recommend', 'how-it-works', 'status']
/** Acts for which a question about what was asked for is taken. */
const questioned: readonly Act[] = ['answer', 'task', 'about']
/** Acts that reply to questions. */
const repliesOf: readonly Act[] = ['answer', 'change', 'pick']
/** A digest as it is shown, or in full. */
const digestWord = /\b(?:[0-9a-f]{8}|[0-9a-f]{32})\b/

/** Answers a first message that asks what the market has; undefined for every other message. */
const aboutMarket = async (deps: ButlerDeps, state: ButlerState, of: Heard): Promise<Update | undefined> => {
  if (state.stage !== 'none' || of.reading.isPlain) return undefined
  return readMarketQuestion(of.text) ? { act: 'recommend', to: 'answer' } : listWork(deps, state, of)
}

const follow = async (deps: ButlerDeps, state: ButlerState, of: Heard): Promise<Update> => {
  const { text, reading, situation, requirement } = of
  const terms = openTerms(state)
  const isTextAsked = state.stage === 'ask' && state.questions.some(asksForText)
  const { act, isDoubtful, isHardly, isPerhapsAnswer } = decide(reading, situation, isTextAsked)
  const changed = changePlan(state, text) ?? changeSteps(state, of)
  if (changed) return changed
  if (namesQuestion(state, text)) return answerPlan(state, text)
  // Words with a file and without a job to speak of are a task, such as “unpack this”.
  if (state.stage === 'none' && state.files.length > 0 && !situation.hasJob && !situation.hasEnded && needJob.includes(act))
    return begin(deps, state, of)
  const listed = await aboutMarket(deps, state, of)
  if (listed) return listed
  if (state.stage === 'none' && namesAgent(text) && act !== 'declined' && !asksOf.includes(act)) return begin(deps, state, of)
  const isForm = (state.stage === 'ask' || state.stage === 'proposal') && reading.by === 'rules' && act !== 'declined'
  const other = otherTerms(state, of)
  if (other) return other
  // A short yes or no is understood in any language.
  const isShort = reading.isPlain || (act === 'no' && text.trim().split(/\s+/).length <= shortWords)
  // What was asked for may be said in any language.
  if (reading.by === 'rules' && !isShort && languageOf(text) !== 'en')
    return state.stage === 'ask' ? fillIn(deps, state, of) : inOtherLanguage(state, text)
  // A field name with a value, such as "city: Oslo", needs no interpretation.
  if (isForm && namesField(requirement ?? {}, text))
    return state.stage === 'ask' ? fillIn(deps, state, of) : amend(deps, state, of)
  const isPlanAsked = state.stage === 'ask' && state.drafts.length > 0
  if (isPlanAsked && (isPerhapsAnswer || repliesOf.includes(act))) return answerPlan(state, text)
  const who = state.stage === 'none' && reading.by === 'rules' && !reading.isPlain ? await aboutAgent(deps, state, of) : undefined
  if (who) return who
  if (reading.by === 'rules' && questioned.includes(act) && (await isQuestionBack(deps, state, text)))
    return answer('about', `What I know of it: ${state.questions.map(it => it.words).join(' ')}`)
  const cost = isTextAsked || reading.by !== 'rules' ? undefined : await costAsked(deps, state, text)
  if (cost) return answer('price', cost)
  if (isPerhapsAnswer && !(await isOffered(deps, state, of))) return fillIn(deps, state, of)
  if (act === 'task' && (await isOfLast(deps, state, of))) return amend(deps, state, of)
  const beside = await besideProposal(deps, state, of)
  if (beside) return beside
  if (terms && state.stage === 'proposal' && isUnclear(text, act, terms)) return answer('about', `Shall I ${toDeed(terms)}?`)
  // Of two readings, a question mark decides for the question.
  if (isDoubtful && state.proposal && reading.other === 'about' && /[?？]\s*$/.test(text)) return { act: 'about', to: 'answer' }
  if (isDoubtful) return answer('about', toDoubt(reading, terms && toDeed(terms)))
  if (terms && leaves.includes(act) && (await isHalfAnswer(deps, state, of))) return askOutright(toDeed(terms), text)
  // What nobody does takes no place of what is open.
  if (terms && state.stage === 'proposal' && of.called?.isNone) return answer('about', english.noOffering)
  // What only a model takes for a task, or what only resembles a yes, is proposed: no mandate says yes to it.
  const alone = reading.isUnheld || (act === 'yes' && !reading.isPlain) ? { asked: true } : {}
  const told = state.stage === 'proposal' ? aboutPlan(deps, state, of) : undefined
  if (told) return told
  if (state.purchase && state.stage === 'proposal' && asksOfPurchase.includes(act)) return aboutPurchase(deps, state, of)
  // An uncertain first message becomes a task if the market has an offering for it.
  if (isHardly) return { ...(await begin(deps, state, of)), instead: act, ...alone }
  return steps[act] ? { ...(await steps[act](deps, state, of)), ...alone } : { act, to: 'answer' }
}

/** A message in a language that is not read here is named as what nobody does. */
const inOtherLanguage = ({ stage, unplanned }: ButlerState, text: string): Update => ({
  act: 'language',
  to: 'answer',
  unplanned: stage === 'none' ? [text] : unplanned,
})

/** Acts for which a message is taken that only gives a value. */
const tellsOnly: readonly Act[] = [
  ...(['about', 'price', 'recommend', 'capabilities', 'how-it-works', 'status', 'greeting', 'thanks'] as const),
  ...(['mandates', 'balance', 'spending', 'jobs', 'withdraw'] as const),
]
/** Acts for which a message is taken that asks for somebody else, or takes them. */
const besideToo: readonly Act[] = ['change', 'pick', 'task', 'yes', 'no', 'answer']
/** Acts that a message only resembles when it gives a value: "it is 104", "sorry, oak and not pine". */
const resembling: readonly Act[] = ['yes', 'no', 'answer']

/** What follows from a message beside an open hire that asks for somebody else, takes them, or gives another value. */
const besideProposal = async (deps: ButlerDeps, state: ButlerState, of: Heard): Promise<Update | undefined> => {
  const { text, reading } = of
  const { by, isPlain, act } = reading
  if (by !== 'rules' || isPlain || !state.proposal || !(tellsOnly.includes(act) || besideToo.includes(act))) return undefined
  const named = pickBeside(state, text)
  if (named) return named
  if (asksForOthers(text)) return amend(deps, state, of)
  const mayBeValue =
    tellsOnly.includes(act) ||
    beginsCorrection(text) ||
    (resembling.includes(act) && !refuses(text)) ||
    (act === 'task' && !(await isOffered(deps, state, of)))
  return mayBeValue && (addsWords(text) || (await givesValue(deps, state, text))) ? amend(deps, state, of) : undefined
}

/** Whether nobody is offered for a message that gives the offering hired last another value: "ok one for Oslo then". */
const isOfLast = async (deps: ButlerDeps, state: ButlerState, of: Heard): Promise<boolean> => {
  const { text, reading, recalled, situation } = of
  const { before } = recalled
  if (state.stage !== 'none' || !canBeMeant('change', situation) || reading.by !== 'rules' || reading.isPlain || !before)
    return false
  const last = { ...before, coverage: 1 }
  return (await givesValueOf(deps, before, text)) && !(await isOffered(deps, { ...state, pick: last }, of))
}

/** Answers a yes that names other terms than the open ones; undefined for every other message. */
const otherTerms = (state: ButlerState, { text, reading }: Heard): Update | undefined => {
  const [named] = digestWord.exec(text.toLowerCase()) ?? []
  const open = openTerms(state)?.digest ?? ''
  const isYes = state.stage === 'proposal' && (reading.act === 'yes' || reading.other === 'yes')
  return isYes && named && !open.startsWith(named) ? answer('about', otherDigest(named, open)) : undefined
}

/** Acts that leave the open proposal for something else. */
const leaves: readonly Act[] = ['task', 'pay', 'pick', 'answer']

/** Whether a message to an open proposal begins like its answer, and is no clear task for another offering. */
const isHalfAnswer = async (deps: ButlerDeps, state: ButlerState, of: Heard): Promise<boolean> => {
  const terms = openTerms(state)
  if (state.stage !== 'proposal' || !terms || of.reading.isPlain) return false
  const begun = beginsLike(of.text, toOffer(terms))
  return begun === 'agrees' || (begun === 'perhaps' && !(await isOffered(deps, state, of)))
}

/** Matches what is asked for besides an answer: "yes and also tell me the time in Rome". */
const besides =
  /[\s,](?:and|plus|but|oh)[\s,]+(?:also[\s,]+)?(?!(?:thanks|thank you|please|go|do it)(?!\p{L}))(\S+(?:\s+\S+){2,})$/isu
const shownChars = 120
/** Asks for a yes or a no in so many words, and names the other task of the message. */
const askOutright = (deed: string, text: string): Update => {
  const [, more = ''] = besides.exec(text) ?? []
  const other = more && ` “${toQuotable(more, shownChars)}” is a task of its own: tell me that one afterwards.`
  return {
    ...answer('about', `Shall I ${deed}? Say yes or no in so many words, or tell me what to change.${other}`),
    ...(more && { unplanned: [more] }),
  }
}

const openTerms = ({ proposal, purchase, planned }: ButlerState) => proposal ?? purchase ?? planned

const otherDigest = (named: string, open: string) =>
  `Your yes names the terms ${toShownDigest(named)}, but the open proposal has the terms ${toShownDigest(open)}. I did nothing.`

const fillIn: Step = (_, state, { text }) => (state.drafts.length > 0 ? answerPlan(state, text) : fillInOne(state, text))

const fillInOne = ({ said, pick }: ButlerState, text: string): Update => ({
  act: 'answer',
  to: pick ? 'fill' : 'search',
  said: [...said, text],
})

const steps: Partial<Record<Act, Step>> = {
  task: begin,
  pay,
  yes: agree,
  change: amend,
  answer: fillIn,
  pick: pickOne,
  recommend: (deps, state, of) => (of.situation.stage === 'proposal' ? { act: 'about', to: 'answer' } : list(deps, state, of)),
  price,
}
