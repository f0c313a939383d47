import { withoutHireTag } from '../../../src/domain/agents/agentId.ts'
import { toSearched } from '../../../src/language/text/searched.ts'
import { mergeLimits } from '../call/merge.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Draft, Update } from '../state.ts'
import { unread } from '../turns/heard.ts'
import { clockOf } from '../zones.ts'

/** The state in which one task of several is planned: as that of a single task with its words. */
export const toTaskState = async (deps: ButlerDeps, state: ButlerState, draft: Draft): Promise<ButlerState> => {
  const { words, said } = draft
  const now = clockOf(words, deps.now(), state.timeZone)
  const read = await deps.rules.understand(words, now)
  const { task, maxPrice, agent, category, withinMinutes } = read
  const limits = draft.called ? mergeLimits(read, draft.called, { said: words, now }) : {}
  const own: Update = {
    ...unread,
    act: 'task',
    said: said.length > 0 ? said : [words],
    task: task || words,
    want: toSearched(withoutHireTag(words)),
    maxPrice: maxPrice ?? state.maxPrice,
    agent,
    category,
    withinMinutes: withinMinutes ?? state.withinMinutes,
    // Of several calls of a model, the one for this task is read by the nodes of a single one.
    called: state.called && draft.called ? { ...state.called, ...draft.called, query: '', several: [] } : undefined,
    before: undefined,
    avoid: undefined,
    notice: '',
  }
  return after(state, { ...own, ...(draft.called && defined(limits)) })
}

const defined = (of: Update): Update => Object.fromEntries(Object.entries(of).filter(([, it]) => it !== undefined))

/** The state after an update. */
export const after = (state: ButlerState, update: Update): ButlerState => Object.assign({}, state, update)

/** The ports of one task: its events name it, and its questions are asked with those of the others. */
export const toTaskDeps = (deps: ButlerDeps, at: number): ButlerDeps => ({
  ...deps,
  tell: async (runId, { key, data, ...event }) =>
    event.kind === 'asked'
      ? undefined
      : deps.tell(runId, { ...event, data: { ...data, task: at + 1 }, ...(key !== undefined && { key: `${key}:task:${at}` }) }),
})
