import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

/** Says what came of each step of a plan that is over, and where the money is. */
export const bill =
  ({ describePlan, tell }: ButlerDeps) =>
  async ({ runId }: ButlerState): Promise<Update> => {
    const { words, ...money } = await describePlan(runId)
    await tell(runId, { kind: 'plan.ended', summary: words.split('\n', 1)[0] ?? '', data: money, key: 'plan.ended' })
    return { content: words }
  }
