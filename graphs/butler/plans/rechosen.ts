import type { ButlerDeps } from '../deps.ts'
import { isSameOffering, readFor } from '../offers/parts.ts'
import { newDraft } from '../offers/several.ts'
import type { ButlerState, Draft } from '../state.ts'
import { findOne } from './findOne.ts'

/** The ports of a search that nobody reads: what it finds is no step yet. */
const silent = (deps: ButlerDeps): ButlerDeps => ({ ...deps, tell: async () => undefined })

/** The words of a call without its values. */
const requestOf = ({ words, read = {} }: Draft): string =>
  Object.values(read).reduce<string>((left, it) => left.replaceAll(String(it), ''), words)

/** Whether two calls ask for the same with other values. */
const isSameRequest = (a: Draft, b: Draft): boolean => a.words === b.words || requestOf(a) === requestOf(b)

/** Calls of one task that were read for one offering, where the own words of a call give another one all of its inputs. */
export const rechosen = async (deps: ButlerDeps, state: ButlerState, drafts: readonly Draft[]): Promise<Draft[]> =>
  Promise.all(
    drafts.map(async draft => {
      const isAlone = drafts.every(it => it === draft || !isSameOffering(it, draft) || isSameRequest(it, draft))
      if (isAlone || draft.read === undefined || draft.takes.length > 0) return draft
      const { draft: other, isSure } = await findOne(silent(deps), state, newDraft(0, { words: draft.words }))
      if (!isSure || isSameOffering(other, draft)) return draft
      const found = await readFor(deps, other, draft.words)
      const { pick, reason, others } = other
      return found?.isWhole && found.typed > 0 ? { ...draft, pick, reason, others, read: found.values } : draft
    }),
  )
