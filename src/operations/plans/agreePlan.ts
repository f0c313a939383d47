import { formatUsdc } from '../../domain/money/money.ts'
import { toInsufficientText, toNotCoveredText } from '../../domain/runTexts/consents.ts'
import { planChanged, planLapsed, toPlanConfirmedText } from '../../domain/runTexts/plans.ts'
import type { StoredPlan } from '../../ports.ts'
import { chainOf, type Deps } from '../operation.ts'
import { agentCategories } from './agentCategories.ts'

/** `not-covered`: the mandate covers it no longer, so its user is asked. */
export type PlanRefusal = { refusal: 'changed' | 'not-covered' | 'insufficient-funds'; words: string }

/**
 * Starts the plan of a run, whose user said yes to this digest, or whose mandate covers it. The write looks for the yes again. A
 * repeated call for the same digest does nothing.
 */
export const agreePlan = async (deps: Deps, runId: string, digest: string): Promise<PlanRefusal | undefined> => {
  const [stored, run] = await Promise.all([deps.store.plan(runId), deps.store.run(runId)])
  if (!stored || !run || stored.plan.digest !== digest) return { refusal: 'changed', words: planChanged }
  if (stored.state === 'running' || stored.state === 'ended') return undefined
  const chain = chainOf(deps, stored.plan.chainId)
  const balance = await chain.usdcBalance(await deps.wallets.ensure('user', run.user))
  if (balance < stored.total) {
    const words = toInsufficientText(formatUsdc(balance, stored.decimals), stored.plan.total)
    return { refusal: 'insufficient-funds', words }
  }
  const drawn = await drawMandate(deps, stored)
  if ('refusal' in drawn) return drawn
  if (!(await deps.store.agreePlan({ runId, digest, mandateId: drawn.mandateId })))
    return { refusal: 'changed', words: planLapsed }
  const { steps, total, mandate } = stored.plan
  const rest = drawn.left !== undefined && mandate ? { left: drawn.left, mandate } : undefined
  await deps.store.addRunEvent(runId, {
    kind: 'confirmed',
    summary: toPlanConfirmedText(steps.length, total, rest),
    data: { digest, ...(drawn.mandateId && { mandate_id: drawn.mandateId }) },
    key: 'confirmed',
  })
  return undefined
}

type Drawn = { mandateId: string | undefined; left: string | undefined }

/** Reserves the total under the mandate of a plan without a direct yes. */
const drawMandate = async ({ store }: Deps, { runId, plan, total, decimals }: StoredPlan): Promise<Drawn | PlanRefusal> => {
  const { mandate, digest } = plan
  if (!mandate?.covers || (await store.consents(runId)).includes(digest)) return { mandateId: undefined, left: undefined }
  const agents = await agentCategories(store, plan.steps)
  const drawn = await store.drawOnMandate({ mandateId: mandate.mandate_id, runId, digest, amount: total, ...agents })
  if (!drawn.isCovered) return { refusal: 'not-covered', words: toNotCoveredText(drawn.why) }
  return { mandateId: mandate.mandate_id, left: formatUsdc(drawn.left, decimals) }
}
