import { isListed } from '../../../src/domain/offerings/offering.ts'
import { mostSteps } from '../../../src/domain/plans/plan.ts'
import { toChosenText } from '../../../src/domain/runTexts/butler.ts'
import { readSteps } from '../../../src/language/tasks/steps.ts'
import type { ButlerDeps } from '../deps.ts'
import { search } from '../nodes/search.ts'
import { isSame, pointAt } from '../offers/point.ts'
import { toOffering } from '../offers/toOffering.ts'
import type { ButlerState, Draft } from '../state.ts'
import { toPlain } from './plainWords.ts'
import { after, toTaskDeps, toTaskState } from './taskState.ts'

/** Further offerings that are kept for a standby. */
const maxOthers = 3

/** The drafts with an offering that does the task, and those for which there is none. */
export const findOfferings = async (deps: ButlerDeps, state: ButlerState): Promise<{ planned: Draft[]; without: Draft[] }> => {
  const isNew = state.drafts.every(it => it.pick === undefined)
  const found = await Promise.all(state.drafts.map(it => findOne(deps, state, it)))
  const planned = isNew ? await toCalls(deps, found) : found.filter(it => it.pick)
  return { planned: planned.slice(0, mostSteps), without: found.filter(it => !it.pick && !isUsed(planned, it)) }
}

/** Whether a task without an offering became a step of its own, or material of another one. */
const isUsed = (planned: readonly Draft[], { at, words }: Draft): boolean =>
  planned.some(it => it.at === at || toPlain(JSON.stringify(Object.values(it.values))).includes(toPlain(words)))

/** The drafts as calls: a task may need several, or be part of the one before it. Values that it lacks come from earlier ones. */
const toCalls = async ({ readListing, now }: ButlerDeps, drafts: Draft[]): Promise<Draft[]> => {
  const found = await Promise.all(
    drafts.map(async ({ words, pick }) => {
      const listing = pick && (await readListing(pick.agentId, pick.offeringId))
      return { words, offering: listing && toOffering(listing) }
    }),
  )
  // Words without an offering add to the task before them, unless that takes an earlier result.
  const isMaterial = (at: number) => found[at]?.offering === undefined && (drafts[at - 1]?.takes.length ?? 0) > 0
  const read = found.map((it, at) => (isMaterial(at) ? { words: '', offering: undefined } : it))
  return readSteps(read, now()).flatMap(({ task, key, words, input }) => {
    const own = drafts[task]
    const source = drafts.find((it, at) => it.pick && found[at]?.offering?.key === key)
    return own && source
      ? [{ ...own, pick: source.pick, reason: source.reason, others: source.others, words, values: input }]
      : []
  })
}

const findOne = async (deps: ButlerDeps, state: ButlerState, draft: Draft): Promise<Draft> => {
  const { pick } = draft
  const known = pick && (await deps.readListing(pick.agentId, pick.offeringId))
  if (known && isListed(known)) return draft
  const own = toTaskDeps(deps, draft.at)
  const asked = await toTaskState(deps, state, draft)
  const searched = after(asked, await search(own)(asked))
  const { found, missed } = searched
  const beyond = missed.filter(it => !found.some(one => isSame(one, it)))
  const { chosen, decision, reason, several, near = [] } = await pointAt(own, searched, { refs: found, beyond })
  if (!chosen || decision === 'none') return { ...draft, pick: undefined }
  const { listing, ref } = chosen
  await own.tell(state.runId, {
    kind: 'chosen',
    summary: toChosenText(listing, reason),
    data: { agent_id: listing.agentId, offering_id: listing.id, reason },
    key: `chosen:${state.turn}:${state.round}`,
  })
  const others = [...several, ...near].map(it => it.ref).filter(it => it.agentId !== ref.agentId)
  return { ...draft, pick: ref, reason, others: unique(others).slice(0, maxOthers) }
}

const unique = <T extends { agentId: string; offeringId: string }>(refs: T[]): T[] =>
  refs.filter((it, at) => refs.findIndex(one => one.agentId === it.agentId && one.offeringId === it.offeringId) === at)
