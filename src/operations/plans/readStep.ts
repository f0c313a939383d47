import { toFilledTerms, toStepProposal } from '../../domain/plans/fillStep.ts'
import { hireOf } from '../../domain/plans/plan.ts'
import type { Proposal } from '../../domain/runs/proposal.ts'
import type { Deps } from '../operation.ts'

/** The terms that a step's run takes to its escrow, with the results of earlier steps. Undefined where one is missing. */
export const readStep = async ({ store, clock }: Pick<Deps, 'store' | 'clock'>, runId: string): Promise<Proposal | undefined> => {
  const ref = await store.stepOf(runId)
  const stored = ref && (await store.plan(ref.planId))
  const step = stored?.plan.steps.find(it => it.number === ref?.number)
  const hire = step && hireOf(step, ref?.attempt ?? 0)
  const terms = hire && toFilledTerms(hire, await store.acceptedDeliverables(ref?.planId ?? ''))
  return hire && terms && toStepProposal(hire, terms, clock.now())
}
