import { findTakes } from '../../../src/language/tasks/takes.ts'
import type { ButlerDeps } from '../deps.ts'
import { toPartDrafts } from '../offers/parts.ts'
import type { ButlerState, Draft } from '../state.ts'
import { type Found, findOne } from './findOne.ts'

/**
 * The drafts with an offering that does the task, and those for which there is none. Where the search is sure of no part, the
 * message is no plan: then none has an offering.
 */
export const findOfferings = async (deps: ButlerDeps, state: ButlerState): Promise<{ planned: Draft[]; without: Draft[] }> => {
  const found = await cut(deps, state, await Promise.all(state.drafts.map(it => findOne(deps, state, it))))
  const planned = found.some(it => it.isSure)
    ? found.filter(({ draft: { pick, resource } }) => pick ?? resource).map(it => it.draft)
    : []
  return { planned, without: found.map(it => it.draft).filter(it => !planned.includes(it)) }
}

/** Whether a draft was read before, or pays for a resource: the words of its message are not cut again. */
const isRead = ({ said, read, called, resource }: Draft): boolean =>
  said.length > 0 || read !== undefined || called !== undefined || resource !== undefined

type Sure = Pick<Found, 'draft' | 'isSure'>

/** The drafts, where each part of a new task that asks for several offerings is a draft of its own. */
const cut = async (deps: ButlerDeps, state: ButlerState, found: readonly Found[]): Promise<Sure[]> => {
  if (found.some(({ draft }) => isRead(draft))) return [...found]
  const parts = await Promise.all(found.map(({ draft, near }) => toPartDrafts(deps, state, { task: draft.words, refs: near })))
  if (parts.every(it => it.length === 0)) return [...found]
  const all = found.flatMap((it, at) => (parts[at]?.length ? parts[at].map(draft => ({ draft, isSure: true })) : [it]))
  const words = all.map(it => it.draft.words)
  return all.map(({ draft, isSure }, at) => ({ draft: { ...draft, at, takes: findTakes(words, at) }, isSure }))
}
