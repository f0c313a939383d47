import { toUnplannedText } from '../../../src/domain/plans/planText.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Draft, Update } from '../state.ts'
import { toTaskState } from './taskState.ts'

type Single = { draft: Draft; unplanned: string[] }

/** The only task that somebody does becomes a hire as any other, and says what nobody does. */
export const asSingle = async (deps: ButlerDeps, state: ButlerState, { draft, unplanned }: Single): Promise<Update> => {
  const { said, task, want, maxPrice, agent, withinMinutes, category } = await toTaskState(deps, state, draft)
  return {
    ...{ said, task, want, maxPrice, agent, withinMinutes, category },
    ...{ drafts: [], planned: undefined, questions: [], unplanned, act: 'task', stage: 'none', to: 'search', called: undefined },
    notice: [state.notice, toUnplannedText(unplanned)].filter(Boolean).join('\n'),
    asked: true,
  }
}
