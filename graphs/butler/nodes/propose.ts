import { z } from 'zod'
import { termsIn } from '../../../src/domain/consent/deedTexts.ts'
import { maxWishes } from '../../../src/domain/jobs/acceptance.ts'
import { json } from '../../../src/domain/json.ts'
import type { Listing } from '../../../src/domain/offerings/offering.ts'
import { isSpoken, sayIn } from '../../../src/domain/phrases/sayIn.ts'
import { proposal as proposalShape } from '../../../src/domain/runs/proposal.ts'
import { toProposalText } from '../../../src/domain/runs/proposalText.ts'
import { toInputText } from '../../../src/domain/schemas/testInput.ts'
import { findDates, toIso } from '../../../src/language/forms/dates.ts'
import { isLimit } from '../../../src/language/tasks/limitHead.ts'
import { toTerms } from '../../../src/language/words/words.ts'
import { isDefensible } from '../call/gate.ts'
import { toSentences } from '../call/sentences.ts'
import type { ButlerDeps } from '../deps.ts'
import { toPerhapsText } from '../limitTexts.ts'
import type { ButlerState, Update } from '../state.ts'
import { unsaidOf } from '../unread.ts'
import { wallClock } from '../zones.ts'

const unchanged =
  'I could not read what to change, so these are the same terms. Say it with the new value, for example: city: London.'

const toPlainWords = (text: string): string =>
  ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  } `

/**
 * What of the user's messages the agent will not get. What stands in the input word for word is not left out, nor is what a value
 * was concluded from. Of a language that only the model reads, the rules know nothing to name.
 */
export const leftOutOf = async (
  { rules, now }: ButlerDeps,
  { said, input: values, called, language, timeZone, maxPrice, most }: ButlerState,
  listing: Listing,
): Promise<string[]> => {
  if (called && language !== 'en') return []
  const { name, description, agentName, examples, requirement } = listing
  const words = [name, description, agentName.toLowerCase(), ...(examples ?? [])].join('\n')
  const at = wallClock(now(), timeZone)
  const leftOut = await rules.leftOut({ said, values, requirement, listing: words, now: at })
  const sent = toPlainWords(JSON.stringify(Object.values(values)))
  const read = new Set(toTerms((called?.evidence ?? []).join(' ')))
  const isRead = (it: string) => toTerms(it).length > 0 && toTerms(it).every(term => read.has(term))
  // A day stands in the input by its date: "move it to Dec 4".
  const days = said
    .flatMap(it => findDates(it.slice(0, datedChars), at))
    .filter(it => sent.includes(toPlainWords(toIso(it.day)).trim()))
  const isDay = (it: string) => days.some(day => toPlainWords(day.said).includes(toPlainWords(it)))
  const isHeld = (it: string) => (most ?? maxPrice) !== undefined && isLimit(it)
  return leftOut.filter(it => !sent.includes(toPlainWords(it)) && !isRead(it) && !isDay(it) && !isHeld(it))
}

/** Characters of a message in which days are looked for. */
const datedChars = 4_000

/** The names of the files that stand in no input. */
export const filesLeftOut = ({ files }: Pick<ButlerState, 'files'>, inputs: unknown): string[] => {
  const sent = JSON.stringify(inputs)
  return files.flatMap(it => (sent.includes(it.id) ? [] : [it.name]))
}

/** Writes the proposal with terms from our database and logs it. */
export const propose =
  (deps: ButlerDeps) =>
  async (state: ButlerState): Promise<Update> => {
    const { runId, pick, found, input, reason, round, voided, notice } = state
    const { readListing, writeProposal, agreeByOrder, tell } = deps
    const listing = pick && (await readListing(pick.agentId, pick.offeringId))
    if (!listing) return { proposal: undefined }
    const rest = found.filter(it => it.agentId !== pick.agentId || it.offeringId !== pick.offeringId).slice(0, 2)
    const others = await Promise.all(
      rest.map(async ({ agentId, offeringId, coverage }) => ({ listing: await readListing(agentId, offeringId), coverage })),
    )
    const alike = others.flatMap(it => (it.listing ? [{ listing: it.listing, coverage: it.coverage }] : []))
    const [first] = found
    const isFirst = first?.agentId === pick.agentId && first.offeringId === pick.offeringId
    const own = { listing, coverage: pick.coverage }
    const isSafe = isDefensible(state, { listing, input, found: isFirst ? [own, ...alike] : [...alike, own] })
    const leftOut = await leftOutOf(deps, state, listing)
    const [message = ''] = state.said.length === 1 && !state.called ? state.said : []
    const unsaid = unsaidOf(message, [{ listing, input }], [...leftOut, ...state.unplanned, ...(state.skipped ?? [])])
    const proposal = await writeProposal({
      listing,
      coverage: pick.coverage,
      input: toInputText(listing.requirement, input),
      reason,
      others: alike,
      run: { id: runId, isAsked: state.asked, ...(!isSafe && { isConcluded: true }) },
      leftOut: [...leftOut, ...unsaid, ...filesLeftOut(state, input)],
      // Without a model to hear them, wishes are no terms; the checks of code are.
      wishes: state.wishes.slice(-maxWishes),
    })
    const ordered = !state.asked && (await agreeByOrder(runId, proposal))
    const { text } = sayIn(notice || (proposal.digest === voided ? unchanged : leadOf(state)), state.language)
    const told = [text, toPerhapsText(state, { total: proposal.total, inputs: [input] })].filter(Boolean).join('\n')
    const earlier = await tell(runId, {
      kind: 'proposed',
      summary: sayIn(toProposalText(proposal), state.language).text,
      data: { proposal: json.parse(proposal), ...(told && { notice: told }), ...toLanguage(state) },
      // A repeated node may propose other terms, so the digest is part of the key and the valid proposal is logged too.
      key: `proposed:${round}:${proposal.digest}`,
    })
    return { proposal: { ...proposal, ...toTimes(earlier) }, ordered, round: round + 1, notice: told }
  }

/** The language of the labels of the slip on the page. */
const toLanguage = ({ language }: ButlerState): { language?: string } => (isSpoken(language) ? { language } : {})

/**
 * Said in another language before the terms. What to say to agree is from a table: it ends the terms where they are in that
 * language, and else stands here.
 */
const leadOf = ({ language, called }: ButlerState): string => {
  const terms = termsIn(language)
  const own = called?.words ?? ''
  if (terms === undefined || own === '' || isSpoken(language)) return own || (terms ?? '')
  // The table first says that somebody was found, which the words of the model say, too.
  const [, ...rest] = toSentences(terms, language)
  return [own, ...rest].map(it => it.trim()).join(' ')
}

const times = z.object({ proposal: proposalShape.pick({ lapsesAt: true, timeline: true }) })

/** The times of a proposal that the log already has: they are the ones that the user was told. */
const toTimes = (earlier: unknown) => times.safeParse(earlier).data?.proposal
