import { nothingProposed } from '../../../src/domain/runTexts/butler.ts'
import type { ButlerDeps } from '../deps.ts'
import type { ButlerState, Update } from '../state.ts'

/** Starts the payment of the purchase that the user accepted. */
export const buy =
  ({ agreePurchase }: ButlerDeps) =>
  async ({ runId, purchase }: ButlerState): Promise<Update> => {
    if (!purchase) return { isBought: false, content: nothingProposed }
    const agreed = await agreePurchase(runId, purchase.digest)
    if (!('refusal' in agreed)) return { isBought: true }
    // The price is asked again, and then the user.
    if (agreed.refusal !== 'refused') return { isBought: false, asked: true, notice: agreed.words }
    return { isBought: false, content: agreed.words }
  }
