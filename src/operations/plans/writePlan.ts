import { nobody } from '../../domain/hex.ts'
import type { JsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { type Atomic, formatUsdc, isAbove, parseUsdc } from '../../domain/money/money.ts'
import type { Listing } from '../../domain/offerings/offering.ts'
import { toShownInput } from '../../domain/plans/fillStep.ts'
import { disorderOf, longestMinutes } from '../../domain/plans/order.ts'
import { type Plan, type PlanStep, type StepHire, type StepPurchase, toPlanDigest } from '../../domain/plans/plan.ts'
import type { Reference } from '../../domain/plans/planStates.ts'
import { type Proposal, terms } from '../../domain/runs/proposal.ts'
import { takesPlainText, toInputText } from '../../domain/schemas/testInput.ts'
import { purchaseMinutes } from '../../domain/x402/purchase.ts'
import { writeProposal } from '../hires/writeProposal.ts'
import { viewMandate } from '../mandates/findMandate.ts'
import { chainOf, type Deps } from '../operation.ts'
import { agreedPlan } from './advancePlan.ts'
import { agentCategories } from './agreePlan.ts'

/** One hire as it was drafted: values that are known, and references to earlier steps. */
export type HireDraft = { listing: Listing; values: JsonObject; references: Record<string, Reference> }
/** A step as it was drafted. `leftOut`: phrases of the user that no input contains. */
export type StepDraft = { number: number; task: string; leftOut: string[] } & (HireStep | { purchase: StepPurchase })
type HireStep = HireDraft & { coverage: number; reason: string; standby: HireDraft | undefined }
/**
 * `isAsked`: the user was asked before in this run, so that no mandate says yes. `most`: what the user wants to pay for all, in
 * decimal USDC. No mandate says yes to more.
 */
export type PlanDraft = { steps: StepDraft[]; unplanned: string[]; isAsked: boolean; most?: string | undefined }

type Reach = Pick<Deps, 'chains' | 'clock' | 'store' | 'gateway'>

/**
 * Writes the plan of a run, with terms from our own database, and stores it. An earlier plan of the run without a yes is
 * replaced; one that has its yes stays, and is returned.
 * @throws RangeError for references in a circle, or a price that the chain cannot pay
 */
export const writePlan = async (deps: Reach, runId: string, draft: PlanDraft): Promise<Plan> => {
  const { steps: drafts, unplanned, isAsked, most } = draft
  const written = await Promise.all(drafts.map(it => writeStep(deps, it, { id: runId, isAsked })))
  const steps = written.map(it => it.step)
  const disorder = disorderOf(steps)
  if (disorder) throw new RangeError(disorder)
  const [first] = steps
  if (!first) throw new RangeError('a plan without steps')
  const chain = chainOf(deps, first.terms.chainId)
  const total = steps.reduce((sum, it) => sum + toAtomic(it, chain.usdcDecimals), 0n)
  const agreed = {
    chainId: chain.chainId,
    steps,
    total: formatUsdc(total, chain.usdcDecimals),
    withinMinutes: longestMinutes(steps),
  }
  const plan: Plan = {
    kind: 'plan',
    ...agreed,
    unplanned,
    mandate: most !== undefined && isAbove(agreed.total, most) ? null : await findPlanMandate(deps, runId, { written, total }),
    digest: toPlanDigest(agreed),
    lapsesAt: deps.clock.now() + limits.proposalMs,
  }
  await deps.store.putPlan({ runId, plan, decimals: chain.usdcDecimals })
  return (await agreedPlan(deps, runId)) ?? plan
}

const toAtomic = ({ terms: { total } }: StepHire, decimals: number): Atomic => {
  const amount = parseUsdc(total, decimals)
  if (amount === undefined) throw new RangeError(`a step with a total of ${total}`)
  return amount
}

/** Without a proposal for a step that pays for a resource. */
type Written = { step: PlanStep; proposal?: Proposal }
type Asked = { id: string; isAsked: boolean }

const writeStep = async (deps: Reach, draft: StepDraft, run: Asked): Promise<Written> => {
  const { number, task, leftOut } = draft
  if ('purchase' in draft) return { step: { number, task, leftOut, ...toPurchaseTerms(draft.purchase) } }
  const { coverage, reason, standby } = draft
  const proposal = await propose(deps, draft, { coverage, reason, run, leftOut })
  const step: PlanStep = { number, task, leftOut, ...toHire(draft, proposal) }
  if (standby === undefined) return { step, proposal }
  const instead = await propose(deps, standby, { reason: '' })
  const isDearer = isAbove(instead.total, proposal.total)
  return { step: isDearer ? step : { ...step, standby: toHire(standby, instead) }, proposal }
}

/** The terms of a purchase in the form of a hire's terms. The host of its address takes the place of the agent. */
const toPurchaseTerms = (purchase: StepPurchase): StepHire & { purchase: StepPurchase } => {
  const { chainId, url, method, total } = purchase
  const hire = { chainId, agentId: '', agentHandle: new URL(url).host, offeringId: '', offeringName: `${method} ${url}` }
  const times = { offeringVersion: 0, input: '', price: total, fee: '0', total, slaMinutes: purchaseMinutes }
  const given = { agentName: 'x402', checklist: [], values: {}, references: {}, isPlain: true }
  return { ...given, terms: { ...hire, ...times }, purchase }
}

type More = { coverage?: number; reason: string; run?: Asked; leftOut?: string[] }
const propose = (deps: Reach, { listing, values }: HireDraft, more: More): Promise<Proposal> =>
  writeProposal(deps, { listing, input: toInputText(listing.requirement, values), others: [], ...more })

const toHire = ({ listing, values, references }: HireDraft, proposal: Proposal): StepHire => {
  const hire = { values, references, isPlain: takesPlainText(listing.requirement) }
  const { agentName, checklist } = proposal
  const input = Object.keys(references).length === 0 ? proposal.input : toShownInput(hire)
  return { ...hire, agentName, checklist, terms: { ...terms.parse(proposal), input } }
}

/** Who is paid for an address stands in the plan only. */
const needsOwnYes = 'a plan with a payment for an address needs your own yes'

type Drawn = { written: Written[]; total: Atomic }

/** The mandate that covers each step and the total, or the newest one that does not, with the reason. */
const findPlanMandate = async (deps: Reach, runId: string, { written, total }: Drawn) => {
  const user = (await deps.store.run(runId))?.user ?? nobody
  const [first] = written
  if (user === nobody || !first) return null
  const refused = written.find(it => it.proposal?.mandate?.covers === false)?.proposal?.mandate
  if (refused) return refused
  const steps = written.map(it => it.step)
  const agents = await agentCategories(deps.store, steps)
  const spending = { chainId: first.step.terms.chainId, amount: total, ...agents }
  const refusal = steps.some(it => it.purchase) ? needsOwnYes : undefined
  return (await viewMandate(deps, user, { ...spending, refusal })) ?? null
}
