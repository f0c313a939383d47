import { z } from 'zod'
import { planState, planStepState } from '../domain/plans/planStates.ts'
import { mandateView } from '../domain/runs/proposal.ts'
import { purchaseProposal } from '../domain/runs/purchaseTerms.ts'
import { time } from './job.ts'

/** One step of a plan: one hire, or one purchase by x402. */
export const planStepRecord = z.object({
  number: z.number().int().describe('Counts from 1'),
  task: z.string().describe("The step in the user's words"),
  agent_handle: z.string(),
  agent_name: z.string(),
  offering_name: z.string(),
  price: z.string().describe('USDC; the most that the step costs, also with its standby'),
  state: planStepState,
  input: z
    .string()
    .describe(
      'As in a proposal. A value that comes from an earlier step is { "from": 2, "path": "/summary" }, with "as" where it is ' +
        'converted. Filled in when the step opens. Plain text with a reference is shown as the member text of an object',
    ),
  left_out: z.array(z.string()).describe('Phrases of the user that the agent does not get'),
  needs: z.array(z.number().int()).describe('Numbers of the steps whose deliverables it takes'),
  standby: z
    .object({ agent_handle: z.string(), agent_name: z.string(), offering_name: z.string(), price: z.string() })
    .optional()
    .describe('Hired instead, once, when the step fails; the same yes covers it'),
  is_standby: z.boolean().describe('The standby was hired in place of the first agent'),
  reason: z.string().describe('Why it was skipped, refunded or failed; else empty'),
  run_id: z.string().optional().describe('The run of the step, once it was started'),
  job_id: z.string().optional().describe('Its job, once it is open'),
  purchase: purchaseProposal
    .pick({ url: true, method: true, payee: true, approves: true, digest: true, scheme: true, outside: true })
    .extend({ body_hash: z.string().optional().describe('SHA-256 of the JSON that is sent, in hex; absent without one') })
    .optional()
    .describe('The step is no hire: it pays this resource by x402, without escrow. Its `run_id` is that of the purchase'),
})

/** Several tasks of one request, with one total and one yes. */
export const planRecord = z.object({
  digest: z.string().describe('A yes names it; any change of a step, reference, standby or total changes it'),
  state: planState,
  total: z.string().describe('USDC; the most that the plan can cost'),
  paid: z.string().describe('USDC paid to agents and sellers so far'),
  refunded: z.string().describe('USDC that came back from escrow'),
  unspent: z.string().describe('USDC of the total that is neither paid nor in escrow'),
  unplanned: z.array(z.string()).describe('Tasks of the request that nobody here does'),
  within_minutes: z.number().int().describe('From the yes to the latest end; no step opens afterwards'),
  ends_by: time.describe('The latest end: counted from the yes, before it from now'),
  lapses_at: time.describe('A yes counts until then'),
  on_failure: z.string().describe('What happens when a step fails, in words'),
  mandate: mandateView.nullable().describe('The mandate that covers the plan, or the newest one that does not'),
  steps: z.array(planStepRecord),
})
export type PlanRecord = z.infer<typeof planRecord>
export type PlanStepRecord = z.infer<typeof planStepRecord>
