import type { Act } from '../../../src/domain/acts.ts'
import { namesAgent } from '../../../src/domain/hireOrder.ts'
import { languageOf } from '../../../src/domain/language.ts'
import { limits } from '../../../src/domain/limits.ts'
import { asksForText, namesField } from '../../../src/domain/question.ts'
import { toUnderstoodText } from '../../../src/domain/runTexts/butler.ts'
import type { TurnReading } from '../../../src/ports.ts'
import { decide, toDoubt } from '../decide.ts'
import type { ButlerDeps } from '../deps.ts'
import { asked } from '../metered.ts'
import { tooLong } from '../phrases.ts'
import type { ButlerState, Update } from '../state.ts'
import { agree } from '../turns/agree.ts'
import { amend } from '../turns/amend.ts'
import { begin } from '../turns/begin.ts'
import { answer, type Heard, type Step, unread } from '../turns/heard.ts'
import { list, price } from '../turns/list.ts'
import { isOffered } from '../turns/offered.ts'
import { aboutPurchase, pay } from '../turns/pay.ts'
import { pickOne } from '../turns/pick.ts'
import { toShown } from '../turns/shown.ts'

/** Finds the act of the newest message in its situation and decides which node follows. */
export const understand =
  (deps: ButlerDeps) =>
  async (state: ButlerState): Promise<Update> => {
    const { runId, said, target, heard, stage, turn } = state
    const text = heard?.text ?? said.at(-1) ?? ''
    const until = deps.now() + deps.modelMs
    // A message to an agent that was called directly is always a task.
    if (target && stage === 'none')
      return { ...unread, turn: turn + 1, act: 'task', to: 'search', task: said.join('\n'), agent: target, until }
    if (turn >= limits.turns)
      return { ...unread, act: 'none', to: 'reply', content: [tooLong, await deps.unpaid(runId)].filter(Boolean).join(' ') }
    const recalled = await deps.recall(runId)
    const situation = stage === 'none' ? recalled.situation : { ...recalled.situation, stage }
    const shown = await toShown(deps, state, recalled)
    const of = { text, situation, proposed: wordsOf(state), shown }
    const reading = await asked(deps, { runId, key: `read:${turn}`, until }, (model, asking) => model.read(of, asking))
    // A model that fails once is not waited for again in this turn.
    const spoken = { until: reading.by === deps.model.id ? until : 0, language: spokenIn(state, text, reading) }
    const update = await follow(deps, state, {
      text,
      reading,
      situation,
      recalled,
      until: spoken.until,
      requirement: shown.requirement,
    })
    await deps.tell(runId, {
      kind: 'understood',
      summary: toUnderstoodText(update.act === 'task' ? (update.task ?? text) : undefined),
      data: { act: update.act ?? 'none', model: reading.by, ...toData(update) },
      key: `understood:${turn}`,
    })
    return { turn: turn + 1, heard: undefined, decision: undefined, given: {}, ...spoken, ...update }
  }

/** Without a model every answer is in English. A short message keeps the language of the one before. */
const spokenIn = ({ language }: ButlerState, text: string, { by, slots }: TurnReading): string =>
  by === 'rules' ? '' : (slots?.language ?? (language || languageOf(text)))

const wordsOf = ({ proposal, purchase }: ButlerState) => {
  if (purchase) return [purchase.url, purchase.payee, purchase.total, purchase.digest].join(' ')
  return proposal ? [proposal.offeringName, proposal.agentName, proposal.total, proposal.digest, proposal.input].join(' ') : ''
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
const digestWord = /\b[0-9a-f]{8}\b/

const follow = async (deps: ButlerDeps, state: ButlerState, of: Heard): Promise<Update> => {
  const { text, reading, situation, requirement } = of
  const isTextAsked = state.stage === 'ask' && state.questions.some(asksForText)
  const { act, isDoubtful, isHardly, isPerhapsAnswer } = decide(reading, situation, isTextAsked)
  if (state.stage === 'none' && namesAgent(text) && act !== 'declined' && !asksOf.includes(act)) return begin(deps, state, of)
  const isForm = (state.stage === 'ask' || state.stage === 'proposal') && reading.by === 'rules' && act !== 'declined'
  const [named] = digestWord.exec(text.toLowerCase()) ?? []
  if (state.stage === 'proposal' && (reading.act === 'yes' || reading.other === 'yes') && named && named !== openDigest(state))
    return answer('about', otherDigest(named, state))
  // A short yes or no is understood in any language.
  const isShort = reading.canBeYes || (act === 'no' && text.trim().split(/\s+/).length <= shortWords)
  // A text that was asked for may be in any language.
  if (reading.by === 'rules' && !isShort && languageOf(text) !== 'en')
    return isTextAsked ? fillIn(deps, state, of) : { act: 'language', to: 'answer' }
  // A field name with a value, such as "city: Oslo", needs no interpretation.
  if (isForm && namesField(requirement ?? {}, text))
    return state.stage === 'ask' ? fillIn(deps, state, of) : amend(deps, state, of)
  if (isPerhapsAnswer && !(await isOffered(deps, state, of))) return fillIn(deps, state, of)
  if (isDoubtful) return answer('about', toDoubt(reading))
  // What only a model takes for a task is proposed: no mandate says yes to it.
  const alone = reading.isUnheld ? { asked: true } : {}
  if (state.purchase && state.stage === 'proposal' && asksOfPurchase.includes(act)) return aboutPurchase(deps, state, of)
  // An uncertain first message becomes a task if the market has an offering for it.
  if (isHardly) return { ...(await begin(deps, state, of)), instead: act, ...alone }
  return steps[act] ? { ...(await steps[act](deps, state, of)), ...alone } : { act, to: 'answer' }
}

const openDigest = ({ proposal, purchase }: ButlerState) => (proposal ?? purchase)?.digest

const otherDigest = (named: string, state: ButlerState) =>
  `Your yes names the terms ${named}, but the open proposal has the terms ${openDigest(state)}. I did nothing.`

const fillIn: Step = (_, { said, pick }, { text, reading }) => ({
  act: 'answer',
  to: pick ? 'fill' : 'search',
  said: [...said, text],
  given: pick ? (reading.slots?.inputs ?? {}) : {},
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
