import { categoriesOf } from '../../domain/money/mandate.ts'
import type { PlanStep } from '../../domain/plans/plan.ts'
import type { Deps } from '../operation.ts'

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
