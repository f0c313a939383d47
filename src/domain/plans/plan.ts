import { z } from 'zod'
import { digestChars } from '../consent/digest.ts'
import { criterion } from '../jobs/acceptance.ts'
import { canonical, json, jsonObject, sha256 } from '../json.ts'
import { mandateView, terms } from '../runs/proposal.ts'
import { purchaseProposal } from '../runs/purchaseTerms.ts'
import { reference } from './planStates.ts'

/** Most steps of a plan. One task is a hire of its own. */
export const mostSteps = 8

/**
 * One hire of a plan. `terms.input` is the input as its user is shown it; a value that comes from an earlier step is a
 * reference in it. `values` are the values that are known, `references` those that are not, by member.
 */
export const stepHire = z.object({
  terms,
  agentName: z.string(),
  checklist: z.array(criterion),
  values: jsonObject,
  references: z.record(z.string(), reference),
  /** The agent takes plain text, which is the member `text`. */
  isPlain: z.boolean(),
})
export type StepHire = z.infer<typeof stepHire>

/**
 * What a step pays for by x402. `id`: its purchase, which is also its run. `digest` holds the request with its body, the payee, the
 * token and the price, so that no result of a step can change them.
 */
export const stepPurchase = purchaseProposal.extend({ id: z.string() })

/** `task`: the user's words. `standby`: who is hired instead, once, for the same price or less. */
export const planStep = stepHire.extend({
  number: z.number().int().min(1),
  task: z.string(),
  /** Phrases of the user that no input contains. */
  leftOut: z.array(z.string()).default([]),
  standby: stepHire.optional(),
  /** The step is no hire: it pays for a resource. Its `terms` are the same in the words of a hire, for the slip. */
  purchase: stepPurchase.optional(),
})
export type StepPurchase = z.infer<typeof stepPurchase>
export type PlanStep = z.infer<typeof planStep>

/** The terms of a plan, to which one yes agrees. Code writes them from stored rows. */
export const plan = z.object({
  kind: z.literal('plan'),
  chainId: z.number().int(),
  steps: z.array(planStep).max(mostSteps),
  /** Tasks of the request that nobody here does. */
  unplanned: z.array(z.string()),
  /** USDC as decimal text: the most that the plan can cost. */
  total: z.string(),
  /** Minutes from the yes to the latest end. No step opens afterwards. */
  withinMinutes: z.number().int(),
  mandate: mandateView.nullable(),
  digest: z.string(),
  lapsesAt: z.number(),
})
export type Plan = z.infer<typeof plan>

type Agreed = Pick<Plan, 'chainId' | 'steps' | 'total' | 'withinMinutes'>

/** What a yes to a purchase covers. Its digest holds the rest. */
const paidTerms = stepPurchase.pick({ id: true, url: true, method: true, total: true, payee: true, digest: true })
const hireTerms = stepHire.pick({ terms: true, values: true, references: true, isPlain: true })
const stepTerms = hireTerms.extend({ number: z.number(), standby: hireTerms.optional(), purchase: paidTerms.optional() })

/** The rule for failures, which is part of the terms. */
const onFailure = 'standby-then-skip'

/** The digest to which a yes refers: all terms, references, standbys, the rule for failures and the total. */
export const toPlanDigest = ({ chainId, steps, total, withinMinutes }: Agreed): string => {
  const agreed = { kind: 'plan', onFailure, chainId, total, withinMinutes, steps: steps.map(it => stepTerms.parse(it)) }
  return sha256(canonical(json.parse(JSON.parse(JSON.stringify(agreed))))).slice(0, digestChars)
}

/** The hire of a step at an attempt: 0 is the step itself, 1 its standby. */
export const hireOf = (step: PlanStep, attempt: number): StepHire | undefined => (attempt === 0 ? step : step.standby)

/** Numbers of the steps whose deliverables a step takes, also those of its standby. */
export const needsOf = ({ references, standby }: Pick<PlanStep, 'references' | 'standby'>): number[] =>
  [...new Set([references, standby?.references ?? {}].flatMap(it => Object.values(it).map(one => one.from)))].sort(
    (a, b) => a - b,
  )
