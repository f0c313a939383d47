import type { PlanRecord as Plan, PlanStepRecord as Step } from '../../records/plan.ts'
import type { RunRecord } from '../../records/run.ts'
import { agreedIn } from '../client/agreed.ts'
import type { RunEvent } from '../client/shapes.ts'
import { Waiting } from '../parts/basics.tsx'
import { toAgentName } from '../parts/strangers.tsx'
import { NotDone } from '../result/NotDone.tsx'
import { Purchased } from '../result/Purchased.tsx'
import { Result } from '../result/Result.tsx'
import { usePurchase } from '../run/followPurchase.ts'
import { useRun } from '../run/followRun.ts'

export { PlanSlip } from './PlanSlip.tsx'

export const PlanResults = ({ plan }: { plan: Plan }) => (
  <div class="turns">{plan.steps.map(it => it.run_id && <StepEnd key={it.number} runId={it.run_id} step={it} />)}</div>
)

/** The answer of a seller, or why there is none. */
const BoughtEnd = ({ run, events }: { run: RunRecord; events: RunEvent[] }) => {
  const purchase = usePurchase(run)
  return purchase && purchase.state !== 'paying' ? <Purchased purchase={purchase} events={events} /> : <Waiting />
}

const StepEnd = ({ runId, step }: { runId: string; step: Step }) => {
  const { events, run } = useRun(runId)
  const agreed = agreedIn(events)
  if (!run || events.length === 0) return <Waiting />
  if (step.purchase) return <BoughtEnd run={run} events={events} />
  if (!run.job) return null
  const shown = { run, agreed, events, from: toAgentName({ agentName: step.agent_name, agentHandle: step.agent_handle }) }
  return run.job.state === 'settled' ? <Result {...shown} /> : <NotDone {...shown} />
}
