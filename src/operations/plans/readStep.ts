import { toFilledTerms, toStepProposal } from '../../domain/plans/fillStep.ts'
import { hireOf } from '../../domain/plans/plan.ts'
import type { Proposal } from '../../domain/runs/proposal.ts'
import type { PurchaseProposal } from '../../domain/runs/purchaseTerms.ts'
import type { Deps } from '../operation.ts'

type Terms = { proposal: Proposal } | { purchase: PurchaseProposal }

/** The terms that a step's run takes to its escrow or payment, with the results of earlier steps. Undefined where one is missing. */
export const readStep = async ({ store, clock }: Pick<Deps, 'store' | 'clock'>, runId: string): Promise<Terms | undefined> => {
  const ref = await store.stepOf(runId)
  const stored = ref && (await store.plan(ref.planId))
  const step = stored?.plan.steps.find(it => it.number === ref?.number)
  if (step?.purchase) return { purchase: step.purchase }
  const hire = step && hireOf(step, ref?.attempt ?? 0)
  const terms = hire && toFilledTerms(hire, await store.acceptedDeliverables(ref?.planId ?? ''))
  return hire && terms && { proposal: toStepProposal(hire, terms, clock.now()) }
}
