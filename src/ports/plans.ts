import type { Address } from '../domain/hex.ts'
import type { Atomic } from '../domain/money/money.ts'
import type { Plan } from '../domain/plans/plan.ts'
import type { PlanRows } from '../domain/plans/progress.ts'

/** A plan with what its rows say. `runId`: the run that proposed it. */
export type StoredPlan = PlanRows & { runId: string; total: Atomic; decimals: number; mandateId: string | undefined }

/** A step of a plan as a run: attempt 0 is the step itself, 1 its standby. */
export type StepRef = { planId: string; number: number; attempt: number }

/** The accepted deliverables of a plan by the number of their step. */
export type Deliverables = ReadonlyMap<number, string>

export type PlanTables = {
  /**
   * Stores what a run proposes, with the decimals of USDC on its chain. It replaces an earlier plan of the run that has no yes.
   */
  putPlan(of: { runId: string; plan: Plan; decimals: number }): Promise<void>
  plan(runId: string): Promise<StoredPlan | undefined>
  stepOf(runId: string): Promise<StepRef | undefined>
  runningPlan(conversationId: string, user: Address): Promise<StoredPlan | undefined>
  runningPlans(user: Address, chainId: number): Promise<StoredPlan[]>
  acceptedDeliverables(planId: string): Promise<Deliverables>
  /**
   * Starts a plan, once, in a write that sees its yes: a consent of its run with this digest, before the plan lapsed. Repeated
   * with the same digest, it is true again.
   */
  agreePlan(of: { runId: string; digest: string; mandateId: string | undefined }): Promise<boolean>
  /** Ends a plan without a yes. */
  declinePlan(runId: string): Promise<void>
  /** Records under a lock of the plan that a run is this attempt at a step; false when there is one, or it was left out. */
  startStep(of: StepRef & { runId: string }): Promise<boolean>
  /** Leaves out a step that has not started; false when it has. */
  skipStep(of: { planId: string; number: number; reason: string }): Promise<boolean>
  /**
   * Called before a step is signed, and again in the transaction that opens its job. It locks the plan. It checks the yes, the
   * terms of the step with the accepted deliverables, the total, and that the step opens once.
   * @returns why the step may not open; undefined when it may
   */
  openStep(of: { runId: string; digest: string; amount: Atomic }): Promise<string | undefined>
  /** Stops a running plan: no step of it starts any more. */
  stopPlan(runId: string): Promise<void>
  /** Ends a running plan, once. */
  endPlan(runId: string): Promise<boolean>
  /** The amount for which the yes to a plan consents to these terms of a step's run: opened, and not more than its price. */
  planYes(runId: string, digest: string): Promise<Atomic | undefined>
}
