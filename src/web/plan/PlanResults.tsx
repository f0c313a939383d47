import type { PlanRecord as Plan, PlanStepRecord as Step } from '../../records/plan.ts'
import { agreedIn } from '../client/agreed.ts'
import { Waiting } from '../parts/basics.tsx'
import { toAgentName } from '../parts/strangers.tsx'
import { NotDone } from '../result/NotDone.tsx'
import { Result } from '../result/Result.tsx'
import { useRun } from '../run/followRun.ts'

/** What came of each step of a plan, drawn as the result of a hire. */
export const PlanResults = ({ plan }: { plan: Plan }) => (
  <div class="turns">{plan.steps.map(it => it.run_id && <StepEnd key={it.number} runId={it.run_id} step={it} />)}</div>
)

const StepEnd = ({ runId, step }: { runId: string; step: Step }) => {
  const { events, run } = useRun(runId)
  const agreed = agreedIn(events)
  if (!run || events.length === 0) return <Waiting />
  if (!run.job) return null
  const shown = { run, agreed, events, from: toAgentName({ agentName: step.agent_name, agentHandle: step.agent_handle }) }
  return run.job.state === 'settled' ? <Result {...shown} /> : <NotDone {...shown} />
}
