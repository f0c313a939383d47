import { nothingProposed } from '../../../src/domain/runTexts/butler.ts'
import type { ButlerDeps } from '../deps.ts'
import { speak } from '../speak.ts'
import type { ButlerState, Update } from '../state.ts'

/** Starts the payment of the purchase that the user accepted. */
export const buy =
  (deps: ButlerDeps) =>
  async (state: ButlerState): Promise<Update> => {
    const { runId, purchase, step } = state
    if (!purchase) return { isBought: false, content: nothingProposed }
    const agreed = await deps.agreePurchase(runId, purchase.digest)
    if (!('refusal' in agreed)) return { isBought: true }
    const words = await speak(deps, state, { key: 'buy', text: agreed.words })
    // The price is asked again, and then the user. Of a step, the plan decides what follows.
    return agreed.refusal === 'refused' || step !== undefined
      ? { isBought: false, content: words }
      : { isBought: false, asked: true, notice: words }
  }
