import { mostSteps } from '../../../src/domain/plans/plan.ts'
import { type Found, type Offering, readSteps, type Step } from '../../../src/language/tasks/steps.ts'
import type { ButlerDeps } from '../deps.ts'
import { search } from '../nodes/search.ts'
import { isSame, pointAt } from '../offers/point.ts'
import { keyOf, type Ref } from '../offers/several.ts'
import { toOffering } from '../offers/toOffering.ts'
import type { ButlerState, Draft } from '../state.ts'
import { after, toTaskDeps, toTaskState } from './taskState.ts'

const readOffering = async ({ readListing }: ButlerDeps, ref: Ref | undefined): Promise<Offering | undefined> => {
  const listing = ref && (await readListing(ref.agentId, ref.offeringId))
  return ref && listing ? toOffering(listing) : undefined
}

/** The offering that the whole message fits best, for its tasks that find none by their own words. */
const findNearest = async (deps: ButlerDeps, state: ButlerState): Promise<Ref | undefined> => {
  const own = toTaskDeps(deps, state.drafts.length)
  const [whole] = state.drafts
  if (!whole) return undefined
  const asked = await toTaskState(deps, state, { ...whole, words: state.words, said: [] })
  const searched = after(asked, await search(own)(asked))
  const beyond = searched.missed.filter(it => !searched.found.some(one => isSame(one, it)))
  const { chosen, decision } = await pointAt(own, searched, { refs: searched.found, beyond })
  return decision === 'none' ? undefined : chosen?.ref
}

/** Whether a draft was read before: by a model, or it asked, was answered or was changed since; or it pays for a resource. */
const isRead = ({ read, said, called, resource }: Draft) =>
  read !== undefined || said.length > 0 || called !== undefined || resource !== undefined

const toDraft = (
  step: Step,
  at: number,
  { drafts, nearest }: { drafts: readonly Draft[]; nearest: Ref | undefined },
): Draft[] => {
  const of = drafts[step.task]
  const pick = step.isNearest ? nearest : (drafts.find(it => it.pick && keyOf(it.pick) === step.key)?.pick ?? nearest)
  if (!of || !pick) return []
  const words = [step.words, ...step.parts.flatMap(it => drafts[it]?.words ?? [])].join(' ')
  return [{ ...of, at, words, pick, read: step.input }]
}

/** The places of the steps that a task became; a reference to a task takes the last of them. */
const placeOf = (steps: readonly Step[], task: number): number =>
  steps.findLastIndex(it => it.task === task || it.parts.includes(task))

type Spread = { planned: Draft[]; without: Draft[] }

/**
 * Reads the inputs of all tasks together: a task becomes several drafts where its offering takes one value at a time, and words
 * that only add to a task are part of it. Drafts that were read before stay as they are.
 */
export const spreadDrafts = async (deps: ButlerDeps, state: ButlerState, { planned, without }: Spread): Promise<Spread> => {
  if (planned.some(isRead)) return { planned, without }
  const drafts = [...planned, ...without].sort((a, b) => a.at - b.at)
  const near = without.length > 0 ? await findNearest(deps, state) : undefined
  const nearest = await readOffering(deps, near)
  const found = await Promise.all(
    drafts.map(async (it): Promise<Found> => {
      const offering = await readOffering(deps, it.pick)
      return { words: it.words, offering, nearest, isTaking: it.takes.length > 0 }
    }),
  )
  const read = readSteps(found, deps.now())
  const steps = read.slice(0, mostSteps)
  const taken = (it: Draft): Draft => ({
    ...it,
    takes: it.takes
      .map(take => ({ ...take, from: placeOf(steps, take.from) }))
      .filter(take => take.from >= 0 && take.from < it.at),
  })
  const inSteps = new Set(read.flatMap(it => [it.task, ...it.parts]))
  return {
    planned: onceEach(steps.flatMap((step, at) => toDraft(step, at, { drafts, nearest: near })).map(taken)),
    without: [...drafts.filter((_, at) => !inSteps.has(at)), ...read.slice(mostSteps).flatMap(it => beyond(it, drafts))],
  }
}

/** The same call twice is one: words that ask for it again buy nothing more. */
const onceEach = (drafts: readonly Draft[]): Draft[] => {
  const isTaken = (it: Draft) => drafts.some(other => other.takes.some(take => take.from === it.at))
  const toKey = (it: Draft) => (it.takes.length > 0 || isTaken(it) ? it.at : JSON.stringify([it.pick && keyOf(it.pick), it.read]))
  return [...new Map(drafts.map(it => [toKey(it), it] as const).toReversed()).values()].toReversed()
}

/** A call for which the plan has no place is named among those that are not planned. */
const beyond = ({ task, words }: Step, drafts: readonly Draft[]): Draft[] => {
  const of = drafts[task]
  return of ? [{ ...of, words, pick: undefined }] : []
}
