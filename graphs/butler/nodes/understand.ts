import type { Act, Situation } from '../../../src/domain/acts.ts'
import { withoutHireTag } from '../../../src/domain/agentId.ts'
import { chainNames } from '../../../src/domain/chains.ts'
import type { Choice } from '../../../src/domain/choice.ts'
import { namesAgent } from '../../../src/domain/hireOrder.ts'
import { languageOf } from '../../../src/domain/language.ts'
import { limits } from '../../../src/domain/limits.ts'
import { afterCancel, resolveReferences, splitTasks } from '../../../src/domain/severalTasks.ts'
import { toMinutes } from '../../../src/domain/wishes.ts'
import { isStopWord, toTerms } from '../../../src/domain/words.ts'
import type { TurnReading } from '../../../src/ports.ts'
import { decide, toDoubt } from '../decide.ts'
import type { ButlerDeps, Recalled } from '../deps.ts'
import { metered } from '../metered.ts'
import { tooLong } from '../phrases.ts'
import type { ButlerState, Update } from '../state.ts'

/** Clears everything that was derived from an earlier task. */
const unread = {
  found: [],
  missed: [],
  pick: undefined,
  input: {},
  questions: [],
  open: {},
  proposal: undefined,
  choices: [],
  stage: 'none',
  isList: false,
  times: 0,
  isAmended: false,
  instead: undefined,
} satisfies Update

const nothingShown = { questions: [], choices: [], next: [] }

type Heard = { text: string; reading: TurnReading; situation: Situation; recalled: Recalled }

/** Finds the act of the newest message in its situation and decides which node follows. */
export const understand =
  (deps: ButlerDeps) =>
  async (state: ButlerState): Promise<Update> => {
    const { runId, said, target, heard, stage, turn, model } = { ...state, model: deps.model }
    const text = heard?.text ?? said.at(-1) ?? ''
    // A message to an agent that was called directly is always a task.
    if (target && stage === 'none')
      return { ...unread, turn: turn + 1, act: 'task', to: 'search', task: said.join('\n'), agent: target }
    if (turn >= limits.turns)
      return { ...unread, act: 'none', to: 'reply', content: [tooLong, await deps.unpaid(runId)].filter(Boolean).join(' ') }
    const recalled = await deps.recall(runId)
    const situation = stage === 'none' ? recalled.situation : { ...recalled.situation, stage }
    const proposed = wordsOf(state)
    const reading = await metered(deps, { runId, key: `read:${turn}` }, spend => model.read({ text, situation, proposed }, spend))
    const update = await follow(deps, state, { text, reading, situation, recalled })
    await deps.tell(runId, {
      kind: 'understood',
      summary: update.act === 'task' ? `Understood: ${update.task ?? text}` : 'Understood.',
      data: { act: update.act ?? 'none', model: model.id, ...toData(update) },
      key: `understood:${turn}`,
    })
    return { turn: turn + 1, heard: undefined, decision: undefined, ...update }
  }

const wordsOf = ({ proposal }: ButlerState) =>
  proposal ? [proposal.offeringName, proposal.agentName, proposal.total, proposal.digest, proposal.input].join(' ') : ''

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
const digestWord = /\b[0-9a-f]{8}\b/

const follow = async (deps: ButlerDeps, state: ButlerState, of: Heard): Promise<Update> => {
  const { text, reading, situation } = of
  const { act, isDoubtful, isHardly } = decide(reading, situation)
  if (state.stage === 'none' && namesAgent(text) && act !== 'declined' && !asksOf.includes(act)) return begin(deps, state, of)
  const [named] = digestWord.exec(text.toLowerCase()) ?? []
  if (
    state.stage === 'proposal' &&
    (reading.act === 'yes' || reading.other === 'yes') &&
    named &&
    named !== state.proposal?.digest
  )
    return answer('about', otherDigest(named, state))
  // A short yes or no is understood in any language.
  const isShort = reading.canBeYes || (act === 'no' && text.trim().split(/\s+/).length <= shortWords)
  if (deps.model.id === 'rules' && !isShort && languageOf(text) !== 'en') return { act: 'language', to: 'answer' }
  if (isDoubtful) return answer('about', toDoubt(reading))
  // An uncertain first message becomes a task if the market has an offering for it.
  if (isHardly) return { ...(await begin(deps, state, of)), instead: act }
  return steps[act] ? steps[act](deps, state, of) : { act, to: 'answer' }
}

const answer = (act: Act, words: string): Update => ({ act, to: 'answer', content: words })

const otherDigest = (named: string, { proposal }: ButlerState) =>
  `Your yes names the terms ${named}; the ones that are open are ${proposal?.digest}. I hired nothing.`

type Step = (deps: ButlerDeps, state: ButlerState, of: Heard) => Promise<Update> | Update

const agree: Step = (_, state, { text, recalled, situation }) => {
  const { stage, heard, proposal, said } = state
  if (stage === 'choices') return picked(state, state.choices[0], text)
  if (stage === 'proposal') {
    if (heard?.digest !== proposal?.digest) return answer('yes', changedSince)
    if (!heard?.mayAgree) return answer('yes', notHere)
    return { act: 'yes', to: 'consent', heard, asked: true }
  }
  const { before, offers } = recalled
  if (situation.stage === 'offers') return picked({ ...state, said: before?.said ?? [] }, offers[0], text)
  if (situation.stage === 'left' && before) return { ...unread, act: 'change', to: 'fill', ...toAmend(before, said.at(-1) ?? '') }
  return { act: 'yes', to: 'answer' }
}

const changedSince = 'The terms changed after you said that, so it hired nothing.'
const notHere =
  'A moment ago you said yes to the one before, or you speak through a program: say yes again, or confirm with the digest, to hire this one. I hired nothing.'

const toAmend = (before: NonNullable<Recalled['before']>, text: string): Update => ({
  pick: { agentId: before.agentId, offeringId: before.offeringId, coverage: 1 },
  input: before.input,
  said: [...before.said, text],
  task: before.said.join(' '),
  want: before.said.join(' '),
  isAmended: true,
})

/** Changes the open proposal or choice, or else the most recent offering. */
const amend: Step = async (deps, state, { text, recalled, situation, reading }) => {
  const { stage, said, pick } = state
  const wishes = await readWishes(deps, state, text)
  if (stage === 'choices') return choosing(state, text)
  if (stage !== 'none' && pick) {
    const base = {
      act: 'change' as const,
      said: [...said, text],
      before: pick,
      voided: state.proposal?.digest ?? '',
      asked: true,
      notice: '',
    }
    const isWider = Object.keys(wishes).length > 0
    return isWider ? { ...base, ...wishes, to: 'search' } : { ...base, to: 'fill' }
  }
  const { before } = recalled
  if (!before)
    return situation.hasJob ? { act: 'about', to: 'answer' } : begin(deps, state, { text, recalled, situation, reading })
  const goesOn = situation.hasJob ? 'Your job goes on as it is; this would be a new one.' : ''
  return {
    ...unread,
    act: 'change',
    to: 'fill',
    ...toAmend(before, text),
    ...(Object.keys(wishes).length > 0 && wishes),
    notice: goesOn,
  }
}

const cheaper = /\b(?:cheap(?:er)?|less expensive|lower price|too (?:expensive|dear|much)|half the price|costly)\b/i
const faster = /\b(?:faster|quicker|sooner|too slow)\b/i
const another = /\b(?:some(?:one|body) else|another (?:agent|one|provider)|other agent|different agent)\b/i

/** Returns the limits on price, time and agent in a change. */
const readWishes = async (deps: ButlerDeps, { runId, turn, proposal }: ButlerState, text: string): Promise<Update> => {
  const {
    maxPrice,
    agent,
    deadline,
    category,
    withinMinutes: counted,
  } = await metered(deps, { runId, key: `wishes:${turn}` }, spend => deps.model.understand([text], spend))
  const withinMinutes = (deadline ? toMinutes(deadline, deps.now()) : undefined) ?? counted
  const below = !maxPrice && proposal && cheaper.test(text) ? justBelow(proposal.total) : undefined
  const sooner = withinMinutes === undefined && proposal && faster.test(text) ? Math.max(1, proposal.slaMinutes - 1) : undefined
  const most = maxPrice ?? below
  const span = withinMinutes ?? sooner
  return {
    ...(most !== undefined && { maxPrice: most }),
    ...(span !== undefined && { withinMinutes: span }),
    ...(agent && { agent }),
    ...(category && { category }),
    ...(proposal && another.test(text) && { avoid: proposal.agentId }),
  }
}

/** Subtracts 0.000001 USDC, the smallest step on every supported chain. */
const justBelow = (total: string) => {
  const millionths = BigInt(Math.round(Number(total) * 1_000_000))
  const less = millionths > 0n ? millionths - 1n : 0n
  return `${less / 1_000_000n}.${String(less % 1_000_000n).padStart(6, '0')}`
}

const fillIn: Step = (_, { said, pick }, { text }) => ({ act: 'answer', to: pick ? 'fill' : 'search', said: [...said, text] })

const ordinals: [RegExp, number][] = [
  [/\b(?:first|1st|number one|no\.? ?1|option (?:1|one|a)|top one)\b|^\W*[1a]\W*$/i, 0],
  [/\b(?:second|2nd|number two|no\.? ?2|number 2|option (?:2|two|b))\b|^\W*[2b]\W*$/i, 1],
  [/\b(?:third|3rd|number three|no\.? ?3|number 3|option (?:3|three|c))\b|^\W*[3c]\W*$/i, 2],
  [/\b(?:fourth|4th|number four|number 4)\b|^\W*4\W*$/i, 3],
]

/** Picks one of the offerings shown, by its position, price, name or shared words. */
const choosing = (state: ButlerState, text: string): Update => {
  const { choices } = state
  const byPlace = ordinals.find(([pattern]) => pattern.test(text))?.[1]
  const byPrice = [...choices].sort((a, b) => Number(a.price) - Number(b.price))
  const lower = text.toLowerCase()
  const named = choices.filter(it => lower.includes(it.agent_handle.toLowerCase()) || lower.includes(it.name.toLowerCase()))
  const found =
    (/\blast\b/i.test(text) ? choices.at(-1) : undefined) ??
    (byPlace === undefined ? undefined : choices[byPlace]) ??
    (/\bcheap(?:er|est)?\b/i.test(text) ? byPrice[0] : undefined) ??
    (/\b(?:expensive|dearest)\b/i.test(text) ? byPrice.at(-1) : undefined) ??
    (named.length === 1 ? named[0] : undefined) ??
    bySharedWords(choices, text)
  return picked(state, found, text)
}

/** Returns the one offering whose name shares the most words with the message. */
const bySharedWords = (choices: Choice[], text: string): Choice | undefined => {
  const said = new Set(toTerms(text))
  const counts = choices.map(it => new Set(toTerms(`${it.name} ${it.agent_handle}`).filter(term => said.has(term))).size)
  const most = Math.max(0, ...counts)
  const best = choices.filter((_, at) => counts[at] === most)
  return most > 0 && best.length === 1 ? best[0] : undefined
}

const picked = ({ said }: ButlerState, it: Choice | undefined, text: string): Update => {
  const all = [...said, text]
  if (!it) return { act: 'pick', to: 'search', said: all, task: all.join(' '), want: all.join('. '), isList: false, choices: [] }
  const pick = { agentId: it.agent_id, offeringId: it.offering_id, coverage: 1 }
  return { act: 'pick', to: 'fill', pick, said: all, stage: 'none', choices: [], reason: 'You picked it.' }
}

const pickOne: Step = (_, state, { text, recalled }) => {
  if (state.stage === 'choices') return choosing(state, text)
  return choosing({ ...state, choices: recalled.offers, said: recalled.before?.said ?? [] }, text)
}

const names: Record<number, string> = chainNames
const notServed = (chainId: number) =>
  `I do not work on ${names[chainId] ?? `chain ${chainId}`}, so there is nobody to hire there. Name another chain, or none.`

/** Listings are in English, so a task in another language is searched in the words that the model returned. */
const toWant = (said: string, task: string) => (task && languageOf(said) !== 'en' ? task : said)

/** Starts a new task with its limits. Further tasks in the same message wait. */
const begin: Step = async (deps, { runId, turn, chainId, next: waiting }, { text: said, recalled, situation }) => {
  const rest = situation.hasJob ? afterCancel(said) : undefined
  const cancelled = rest === undefined ? '' : await deps.respond({ ...nothingShown, runId, turn, act: 'cancel', text: said })
  const text = resolveReferences(rest ?? said, rest === undefined ? {} : (recalled.before?.input ?? {}))
  const [first = text, ...others] = splitTasks(text)
  const next = [...others, ...(turn === 0 ? waiting : [])]
  const read = await metered(deps, { runId, key: `understand:${turn}` }, spend => deps.model.understand([first], spend))
  const { task, maxPrice, agent, deadline, category, withinMinutes: counted, chainId: chain = chainId } = read
  if (!deps.servesChain(chain)) return { ...unread, ...answer('task', notServed(chain)) }
  const withinMinutes = (deadline ? toMinutes(deadline, deps.now()) : undefined) ?? counted
  return {
    ...unread,
    ...{
      act: 'task',
      to: 'search',
      said: [first],
      next,
      task: task || first,
      want: toWant(withoutHireTag(first), task),
      times: 0,
      maxPrice,
      agent,
      withinMinutes,
      category,
      chainId: chain,
    },
    ...{ before: undefined, voided: '', avoid: undefined, notice: cancelled },
  }
}

/** Lists offerings and proposes none. If the message names an agent, only its offerings are listed. */
const list: Step = async (deps, state, of) => {
  const agent = await namedAgent(deps, state, of.text)
  return { ...(await begin(deps, state, of)), act: of.reading.act, isList: true, next: [], ...(agent && { agent }) }
}

/** Maximum words of an agent name in a message. */
const nameWords = 3
const namedAgent = async ({ findListings }: ButlerDeps, { chainId }: ButlerState, text: string): Promise<string | undefined> => {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_.-]+/gu) ?? []
  for (let size = nameWords; size >= 1; size -= 1)
    for (let at = 0; at + size <= words.length; at += 1) {
      const agent = words.slice(at, at + size).join('-')
      if (size === 1 && isStopWord(agent)) continue
      if ((await findListings({ text, chainId, agent, maxPrice: undefined })).length > 0) return agent
    }
  return undefined
}

const price: Step = (deps, state, of) => {
  const { stage } = of.situation
  return stage === 'proposal' || stage === 'choices' ? { act: 'price', to: 'answer' } : list(deps, state, of)
}

const steps: Partial<Record<Act, Step>> = {
  task: begin,
  yes: agree,
  change: amend,
  answer: fillIn,
  pick: pickOne,
  recommend: (deps, state, of) => (of.situation.stage === 'proposal' ? { act: 'about', to: 'answer' } : list(deps, state, of)),
  price,
}
