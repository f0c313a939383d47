import type { AdvanceRun } from '../../operations/deps.ts'
import { runStateOf } from './followPurchase.ts'
import { purchasesOf } from './ports.ts'

/** Advances the run of a direct purchase by code alone; undefined for other runs, and for purchases of the butler. */
export const advancePurchase: AdvanceRun = async (run, { store }) => {
  // A direct purchase never works on a message.
  const purchase = run.jobId || run.state === 'working' ? undefined : await purchasesOf(store).purchase(run.id)
  if (!purchase || purchase.isByButler) return undefined
  return { ...runStateOf(purchase), interruptId: undefined, questions: undefined, proposal: undefined, jobId: undefined }
}
