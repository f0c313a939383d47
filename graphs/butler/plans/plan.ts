import { json } from '../../../src/domain/json.ts'
import { toPlanText, toUnplannedText } from '../../../src/domain/plans/planText.ts'
import { fieldsOf } from '../../../src/domain/schemas/schema.ts'
import { isDefensible } from '../call/gate.ts'
import type { ButlerDeps, PlannedStep } from '../deps.ts'
import { toAboveText, toPerhapsText } from '../limitTexts.ts'
import { filesLeftOut } from '../nodes/propose.ts'
import type { ButlerState, Draft, Update } from '../state.ts'
import { sayUnread } from '../unread.ts'
import { fillDrafts, type Sources } from './fillDraft.ts'
import { findOfferings } from './findOfferings.ts'
import { toLeftOut, withUnsaid } from './leftOut.ts'
import { limitOfAll } from './limitOfAll.ts'
import { toPlanQuestions } from './planQuestions.ts'
import { quoteDrafts } from './purchases.ts'
import { rechosen } from './rechosen.ts'
import { asSingle, asWhole } from './single.ts'
import { spreadDrafts } from './spread.ts'
import { withStandby } from './standby.ts'
import { toTaskState } from './taskState.ts'

/**
 * Plans the tasks of a message: an offering and an input for each, side by side, with references to the results of earlier ones.
 * Missing values of all steps are asked together. A task that nobody here does is named.
 */
export const plan =
  (deps: ButlerDeps) =>
  async (before: ButlerState): Promise<Update> => {
    const { state, ...spread } = await findSteps(deps, before)
    const isCut = state.drafts.every(it => it.read === undefined)
    const isNew = state.planned === undefined && state.round === 0 && state.drafts.every(it => it.said.length === 0)
    const { without } = spread
    const planned = isNew ? await rechosen(deps, state, spread.planned) : spread.planned
    const unplanned = [...state.unplanned, ...without.map(it => it.words)]
    const [only, ...more] = planned
    const [first] = state.drafts
    if (!only)
      return first && state.planned === undefined && state.round === 0 && !first.resource && state.notice === before.notice
        ? asWhole(deps, state, first)
        : refused(deps, state, unplanned)
    const isRead = planned.every(it => it.called)
    if (first && isCut && !isRead && state.planned === undefined && state.round === 0 && (await isOneTask(deps, planned)))
      return asWhole(deps, state, first)
    if (more.length === 0) return asSingle(deps, state, { draft: only, unplanned })
    const { filled: drafts, sources } = await fillDrafts(deps, state, planned)
    const questions = await toPlanQuestions(deps, drafts)
    if (questions.questions.length > 0) return asked(deps, state, { drafts, unplanned, ...questions })
    // The same call of the same offering is bought once.
    const [call, ...others] = drafts
    if (call && others.every(it => isSameCall(it, call))) return asSingle(deps, state, { draft: call, unplanned })
    const named = drafts.map((draft, at) => nameStandby(deps, state, { draft, sources, later: drafts.slice(at + 1) }))
    return propose(deps, state, { drafts: await Promise.all(named), unplanned })
  }

/**
 * Whether several drafts are one task that was cut: all have one offering, and a part of them does not give what it requires. Two
 * calls of one offering are bought only where each has its own inputs.
 */
const isOneTask = async ({ readListing }: ButlerDeps, [first, ...more]: Draft[]): Promise<boolean> => {
  const pick = first?.pick
  const isSameOffering = (it: Draft) => it.pick?.agentId === pick?.agentId && it.pick?.offeringId === pick?.offeringId
  if (!first || !pick || more.length === 0 || !more.every(isSameOffering)) return false
  const listing = await readListing(pick.agentId, pick.offeringId)
  const required = listing ? fieldsOf(listing.requirement).filter(it => it.required) : []
  const drafts = [first, ...more]
  const isBare = ({ read = {}, takes }: Draft) => takes.length === 0 && required.some(it => read[it.name] === undefined)
  // Each part gives the same input another value, so each is a call of its own, and what it lacks is asked.
  const isTold = required.some(({ name }) => {
    const given = drafts.flatMap(({ read }) => (read?.[name] === undefined ? [] : [JSON.stringify(read[name])]))
    return new Set(given).size === drafts.length
  })
  return !isTold && drafts.some(isBare)
}

const isSameCall = (a: Draft, b: Draft): boolean =>
  a.pick?.agentId === b.pick?.agentId &&
  a.pick?.offeringId === b.pick?.offeringId &&
  JSON.stringify([a.values, a.references, a.resource]) === JSON.stringify([b.values, b.references, b.resource])

/** The tasks that can be done, each with its offering or the terms of its seller. Why a seller is not paid is said first. */
const findSteps = async (deps: ButlerDeps, state: ButlerState) => {
  const found = await spreadDrafts(deps, state, await findOfferings(deps, state))
  const { planned, without, words } = await quoteDrafts(deps, state, found.planned)
  const notice = [state.notice, ...words].filter(Boolean).join('\n')
  return { state: { ...state, notice }, planned, without: [...found.without, ...without] }
}

/** A draft whose message is read. */
const withoutCall = ({ called: _, ...draft }: Draft): Draft => draft

const nothing = { questions: [], proposal: undefined, planned: undefined, pick: undefined } satisfies Update

const refused = async (deps: ButlerDeps, { runId, notice }: ButlerState, unplanned: string[]): Promise<Update> => {
  const words = [notice, toUnplannedText(unplanned), await deps.unpaid(runId), 'Say it in other words, and I search again.']
  return { ...nothing, stage: 'none', act: 'none', to: 'reply', unplanned, content: words.filter(Boolean).join(' ') }
}

type Standing = { draft: Draft; sources: Sources; later: readonly Draft[] }
const nameStandby = async (deps: ButlerDeps, state: ButlerState, of: Standing): Promise<Draft> => {
  const { pick } = of.draft
  const listing = pick && (await deps.readListing(pick.agentId, pick.offeringId))
  return listing ? withStandby(deps, state, { ...of, listing }) : of.draft
}

type Drafted = { drafts: Draft[]; unplanned: string[] }
type Asked = Drafted & Awaited<ReturnType<typeof toPlanQuestions>>

const asked = async (deps: ButlerDeps, state: ButlerState, { questions, lead: known, steps, ...of }: Asked): Promise<Update> => {
  const taken = of.drafts.flatMap(it => it.takes.map(take => take.words))
  const said = [known, ...taken, ...questions.map(it => it.words), toUnplannedText(of.unplanned)]
  const lead = [known, sayUnread(state.said[0] ?? '', said)].filter(Boolean).join(' ')
  await deps.tell(state.runId, {
    kind: 'asked',
    summary: [lead, ...questions.map(it => it.words)].join(' '),
    data: { questions, plan: true, steps },
    key: `asked:${state.turn}`,
  })
  return { ...nothing, ...of, drafts: of.drafts.map(withoutCall), questions, lead, stage: 'ask', asked: true }
}

const propose = async (deps: ButlerDeps, state: ButlerState, { drafts, unplanned }: Drafted): Promise<Update> => {
  const { runId, round } = state
  const steps = await toSteps(deps, { ...state, unplanned }, drafts)
  const most = await limitOfAll(deps, state, drafts)
  const isSafe = (await Promise.all(drafts.map((it, at) => isSafeStep(deps, state, { draft: it, step: steps[at] })))).every(
    Boolean,
  )
  const written = await deps.writePlan(runId, { steps, unplanned, isAsked: state.asked || !isSafe, most })
  const unsure = toPerhapsText({ ...state, most }, { total: written.total, inputs: drafts.map(it => it.values) })
  const notice = [state.notice, toAboveText(written.total, most), unsure].filter(Boolean).join('\n')
  await deps.tell(runId, {
    kind: 'plan.proposed',
    summary: toPlanText(written),
    data: { plan: json.parse(JSON.parse(JSON.stringify(written))), ...(notice && { notice }) },
    key: `proposed:${round}:${written.digest}`,
  })
  return {
    ...nothing,
    drafts: drafts.map(withoutCall),
    unplanned,
    notice,
    planned: written,
    ...(most !== undefined && { most }),
    round: round + 1,
    stage: 'none',
    lead: '',
  }
}

/** Whether a step may be bought under a mandate: a model read nothing for it, or only what code can defend. */
const isSafeStep = async (
  deps: ButlerDeps,
  state: ButlerState,
  { draft, step }: { draft: Draft; step: PlannedStep | undefined },
): Promise<boolean> => {
  if (!draft.called || !step || 'purchase' in step) return !draft.called
  const read = async (of: Draft['others'][number]) => {
    const listing = await deps.readListing(of.agentId, of.offeringId)
    return listing ? [{ listing, coverage: of.coverage }] : []
  }
  const others = (await Promise.all(draft.others.map(read))).flat()
  const own = { listing: step.listing, coverage: step.coverage }
  const { listing, values: input } = step
  return isDefensible(await toTaskState(deps, state, draft), { listing, input, found: [own, ...others] })
}

const toSteps = async (deps: ButlerDeps, state: ButlerState, drafts: Draft[]): Promise<PlannedStep[]> => {
  const steps = await Promise.all(drafts.map((it, at) => toStep(deps, it, at + 1)))
  const listings = steps.map(it => ('purchase' in it ? undefined : it.listing))
  const leftOut = withUnsaid(state, { drafts, leftOut: toLeftOut(drafts), listings })
  const files = filesLeftOut(
    state,
    drafts.map(it => it.values),
  )
  return steps.map((it, at) => ({ ...it, leftOut: [...(leftOut[at] ?? []), ...(at === steps.length - 1 ? files : [])] }))
}

const toStep = async ({ readListing }: ButlerDeps, draft: Draft, number: number): Promise<PlannedStep> => {
  const { pick, standby } = draft
  const { words: task, purchase, leftOut } = draft
  if (purchase) return { number, task, leftOut, purchase }
  const listing = pick && (await readListing(pick.agentId, pick.offeringId))
  if (!pick || !listing) throw new RangeError('a step without an offering')
  const other = standby && (await readListing(standby.ref.agentId, standby.ref.offeringId))
  return {
    number,
    task,
    listing,
    values: draft.values,
    references: draft.references,
    coverage: pick.coverage,
    reason: draft.reason,
    leftOut,
    standby: standby && other ? { listing: other, values: standby.values, references: standby.references } : undefined,
  }
}
