import { minuteMs } from '../../domain/durations.ts'
import { toFilledTerms, toStepProposal } from '../../domain/plans/fillStep.ts'
import { hireOf } from '../../domain/plans/plan.ts'
import type { Proposal } from '../../domain/runs/proposal.ts'
import type { PurchaseProposal } from '../../domain/runs/purchaseTerms.ts'
import { notTaken } from '../../domain/runTexts/plans.ts'
import type { Job } from '../../ports.ts'
import { closeWithin } from '../hires/closeJob.ts'
import { chainOf, type Deps } from '../operation.ts'

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

/**
 * Takes back the job of a plan's step that its agent has not taken, if a standby is named whose promise fits into the time that
 * is left. The plan hires the standby when the money is back.
 */
export const takeOver = async ({ store, chains, clock }: Pick<Deps, 'store' | 'chains' | 'clock'>, job: Job): Promise<void> => {
  const ref = await store.stepOf(job.runId)
  const stored = ref && (await store.plan(ref.planId))
  const standby = stored?.plan.steps.find(it => it.number === ref?.number)?.standby
  const leftMs = job.deadlines.submitBy - clock.now()
  if (ref?.attempt !== 0 || !standby || standby.terms.slaMinutes * minuteMs > leftMs) return
  const chain = job.kind === 'hire' ? chainOf({ chains }, job.chainId) : undefined
  await store.atomically(tables => closeWithin(tables, chain, { job, event: 'withdraw', reason: notTaken }))
}
