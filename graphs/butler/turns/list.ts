import { asksPrice, createOwnWords, isEmpty, isOfPrice } from '../../../src/language/words/vocabulary.ts'
import { isStopWord, splitWords } from '../../../src/language/words/words.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'
import { begin } from './begin.ts'
import type { Heard, Step } from './heard.ts'

/** Lists offerings and proposes none. If the message names an agent, only its offerings are listed. */
export const list: Step = async (deps, state, of) => {
  const agent = (await namedAgent(deps, state, of.text)) ?? (await shownBefore(deps, of))
  return { ...(await begin(deps, state, of)), act: of.reading.act, isList: true, next: [], ...(agent && { agent }) }
}

const listed = '(?:agents?|offerings?|sellers?)'
const asksForList = new RegExp(
  String.raw`^\W*(?:(?:please|hey|hi|hello|ok|so|can you|could you)[\s,]+)*(?:(?:list|show(?: me)?|name|tell me|are there|is there|do you have)\s+` +
    String.raw`(?:(?:a list of|all|any|some|the|every|which|what)\s+)*|(?:which|what)\s+)${listed}\s+(?:here\s+|there\s+)*` +
    String.raw`(?:(?:that|who|which)\s+(?:can|could|do|does|are able to|works? with|know(?: about)?)\s+|can\s+|could\s+|for\s+)(?<work>.+)`,
  'is',
)
/** The offerings for the work of “which agents can shorten a text?”; undefined for every other message. */
export const listWork = async (deps: ButlerDeps, state: ButlerState, of: Heard): Promise<Update | undefined> => {
  const text = asksForList.exec(of.text)?.groups?.work ?? ''
  if (splitWords(text).every(isEmpty)) return undefined
  const reading = { ...of.reading, act: 'recommend' as const }
  return { ...(await begin(deps, state, { ...of, reading, text })), act: 'recommend', isList: true, next: [] }
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
  return calledAgent({ findListings }, { chainId }, text)
}

/** A word in capitals, as names have; most that are looked up. */
const capital = /(?<=[\p{L},] )\p{Lu}[\p{L}\p{M}'’-]+/gu
const mostNames = 3
/** The only agent with a capitalised word of a message in its name: "what does Rosa cost". */
const calledAgent = async (
  { findListings }: Pick<ButlerDeps, 'findListings'>,
  { chainId }: Pick<ButlerState, 'chainId'>,
  text: string,
): Promise<string | undefined> => {
  for (const [name] of [...text.matchAll(capital)].slice(0, mostNames)) {
    const found = await findListings({ text: name, chainId, agent: undefined, maxPrice: undefined })
    const called = found.filter(({ listing: it }) => splitWords(it.agentName).includes(name.toLowerCase()))
    const [only, ...others] = [...new Set(called.map(it => it.listing.agentHandle))]
    if (only && others.length === 0) return only
  }
  return undefined
}

/** The only offering that was told about before, where the message has no words but its own: "how much is a stay?" */
const shownBefore = async ({ readListing }: ButlerDeps, { text, recalled }: Heard): Promise<string | undefined> => {
  const [only, ...others] = recalled.offers
  const listing = only && others.length === 0 ? await readListing(only.agent_id, only.offering_id) : undefined
  if (!listing) return undefined
  const isOwn = createOwnWords(`${listing.name} ${listing.description}`)
  const words = splitWords(text).filter(it => !isEmpty(it) && !isOfPrice(it))
  return words.length > 0 && words.every(isOwn) ? listing.agentHandle : undefined
}

const asksWho =
  /^\W*(?i:(?:(?:hi|hello|hey|ok|and|so|please|can you|could you)[\s,]+)*(?:tell me (?:more |something )?about|who(?:['’]s| is| are)|which (?:one |of (?:them|these|the two) )?(?:is|are)|what do you know (?:about|of))\b|(?:what(?:['’]s| is)|is) (?:the )?(?-i:\p{Lu}))/u
/** What is listed of the agent that a message asks about by its name; undefined for every other message. */
export const aboutAgent = async (deps: ButlerDeps, state: ButlerState, of: Heard): Promise<Update | undefined> => {
  const agent = asksWho.test(of.text) ? await namedAgent(deps, state, of.text) : undefined
  return agent === undefined ? undefined : { ...(await begin(deps, state, of)), act: 'about', isList: true, next: [], agent }
}

/** What the offering costs whose inputs are asked for, where a message asks for it and for nothing else. */
export const costAsked = async (
  { readListing }: ButlerDeps,
  { stage, pick, drafts }: ButlerState,
  text: string,
): Promise<string | undefined> => {
  if (stage !== 'ask' || !pick || drafts.length > 0 || !asksPrice(text)) return undefined
  const listing = await readListing(pick.agentId, pick.offeringId)
  return listing && `It costs ${listing.usage ? 'at most ' : ''}${listing.price} USDC in all, after your yes to a proposal.`
}

export const price: Step = (deps, state, of) => {
  const { stage } = of.situation
  if (stage === 'proposal' || stage === 'choices') return { act: 'price', to: 'answer' }
  // "What do you charge?" names no work: it asks for the price of what was shown, or of the service.
  if (asksPrice(of.text)) return { act: of.recalled.offers.length > 0 ? 'price' : 'how-it-works', to: 'answer' }
  return list(deps, state, of)
}
