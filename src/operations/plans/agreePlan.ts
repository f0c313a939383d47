import type { Address } from '../../domain/hex.ts'
import { categoriesOf } from '../../domain/money/mandate.ts'
import { type Atomic, formatUsdc } from '../../domain/money/money.ts'
import type { PlanStep } from '../../domain/plans/plan.ts'
import { billOf, unspentOf } from '../../domain/plans/progress.ts'
import { toInsufficientText, toNotCoveredText } from '../../domain/runTexts/consents.ts'
import { planChanged, planLapsed, toHeldText, toPlanConfirmedText } from '../../domain/runTexts/plans.ts'
import type { StoredPlan } from '../../ports.ts'
import { chainOf, type Deps } from '../operation.ts'

/** `not-covered`: the mandate covers it no longer, so its user is asked. */
type PlanRefusal = { refusal: 'changed' | 'not-covered' | 'insufficient-funds'; words: string }

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
  const held = await heldByOthers(deps, stored, run.user)
  if (balance < stored.total + held) {
    const say = (amount: Atomic) => formatUsdc(amount, stored.decimals)
    const words = [toInsufficientText(say(balance), stored.plan.total), held > 0n && toHeldText(say(held))]
    return { refusal: 'insufficient-funds', words: words.filter(Boolean).join(' ') }
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

/** What other plans of the user that run may still take from the same wallet. */
const heldByOthers = async ({ store }: Deps, { runId, plan }: StoredPlan, user: Address): Promise<Atomic> => {
  const others = (await store.runningPlans(user, plan.chainId)).filter(it => it.runId !== runId && !it.isStopped)
  return others.reduce((sum, it) => sum + unspentOf(it.total, billOf(it)), 0n)
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

/** The categories of each agent of a plan as they are now, standbys included, as a mandate is asked about them. */
export const agentCategories = async (
  store: Deps['store'],
  steps: readonly PlanStep[],
): Promise<{ categories: string[]; also: string[][] }> => {
  const hires = steps.filter(it => !it.purchase)
  const ids = hires.flatMap(it => [it.terms.agentId, ...(it.standby ? [it.standby.terms.agentId] : [])])
  const agents = await Promise.all([...new Set(ids)].map(id => store.agent(id)))
  const [categories = [], ...also] = agents.map(it => categoriesOf(it?.card ?? {}))
  return { categories, also }
}
