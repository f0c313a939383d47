import type { PlanStep } from '../../domain/plans/plan.ts'
import { stepNow } from '../../domain/plans/progress.ts'
import { toStepText } from '../../domain/runTexts/plans.ts'
import type { Job, StoredPlan } from '../../ports.ts'
import { paymentsOf } from '../runs/readPayments.ts'
import { type FactDeps, nameOf, sumOf } from './facts.ts'

export const describeEnded = async (deps: FactDeps, job: Job): Promise<string> => {
  const { terms, state, kind, reason } = job
  const payments = await paymentsOf(deps, job.runId)
  if (state === 'settled') {
    const payout = payments.find(it => it.type === 'payout')
    const paid = payout
      ? `${payout.amount} USDC were paid to ${terms.agentHandle} (transaction ${payout.transaction}); ` +
        `it cost you ${sumOf(deps, [job])} USDC.`
      : 'It cost nothing.'
    return `${nameOf(job)} was delivered and passed its checks. ${paid}`
  }
  const back = payments.find(it => it.type === 'refund')
  const where =
    kind !== 'hire'
      ? 'It cost nothing.'
      : `Your ${terms.total} USDC are back in your wallet${back ? ` (transaction ${back.transaction})` : ''}.`
  return `${nameOf(job)} ended without a result. ${reason || 'Nothing came in time.'} ${where}`
}

/** Describes how the last work ended: each step of a plan, or the one job. */
export const describeLast = async (deps: FactDeps, job: Job): Promise<string> => {
  const step = await deps.store.stepOf(job.runId)
  const stored = step && (await deps.store.plan(step.planId))
  if (!stored || stored.plan.steps.length === 1) return describeEnded(deps, job)
  return (await Promise.all(stored.plan.steps.map(it => describeStep(deps, stored, it)))).join('\n')
}

const describeStep = async (deps: FactDeps, stored: StoredPlan, step: PlanStep): Promise<string> => {
  const { rows, last, state, hire } = stepNow(step, stored)
  const { number } = step
  const job = last?.job && !last.job.bought ? await deps.store.job(last.job.id) : undefined
  if (job) return `Step ${number}: ${await describeEnded(deps, job)}`
  const bought = last?.job?.bought && (await deps.buying?.describe(deps, last.runId))
  const { offeringName, agentHandle } = hire.terms
  const told = toStepText({ number, state, offeringName, agentHandle }, rows.skipped ?? last?.answer)
  return bought ? `Step ${number}: ${bought}` : told
}
