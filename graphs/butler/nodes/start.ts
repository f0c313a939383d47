import { nothingProposed } from '../../../src/domain/runTexts/butler.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

/**
 * Starts the plan that has its yes, and then the steps whose inputs exist. Rows alone decide, so it may run again at any time.
 */
export const start =
  ({ agreePlan, advancePlan, unpaid }: ButlerDeps) =>
  async ({ runId, planned }: ButlerState): Promise<Update> => {
    if (!planned) return { content: nothingProposed }
    const refused = await agreePlan(runId, planned.digest)
    if (refused?.refusal === 'insufficient-funds')
      return { content: [refused.words, await unpaid(runId)].filter(Boolean).join(' ') }
    if (refused) return { planned: undefined, asked: true, notice: refused.words }
    const { isOver, seen, words } = await advancePlan(runId)
    return { seen, progress: words, isPlanOver: isOver, notice: '' }
  }
