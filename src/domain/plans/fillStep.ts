import { deadlines, toRefundedBy } from '../jobs/deadlines.ts'
import type { Json, JsonObject } from '../json.ts'
import { type Proposal, type Terms, toDigest, toTag } from '../runs/proposal.ts'
import type { StepHire } from './plan.ts'
import { resolve } from './pointer.ts'

const toText = (isPlain: boolean, values: JsonObject): string =>
  isPlain && typeof values.text === 'string' ? values.text : JSON.stringify(values)

/** The input as it is shown before the yes: with references in the places of values. */
export const toShownInput = ({ values, references, isPlain }: Omit<StepHire, 'terms' | 'agentName' | 'checklist'>): string =>
  toText(isPlain, { ...values, ...(references as Record<string, Json & object>) })

/**
 * The terms of a hire whose references are filled by accepted deliverables, by the number of their step. Undefined where one is
 * missing. Terms without references are those of the plan.
 */
export const toFilledTerms = (
  { terms, values, references, isPlain }: StepHire,
  deliverables: ReadonlyMap<number, string>,
): Terms | undefined => {
  const filled: JsonObject = { ...values }
  for (const [name, reference] of Object.entries(references)) {
    const value = resolve(reference, deliverables)
    if (value === undefined) return undefined
    filled[name] = value
  }
  return { ...terms, input: Object.keys(references).length === 0 ? terms.input : toText(isPlain, filled) }
}

/** The proposal that a step's run takes to its escrow. Its plan has the consent. @param now epoch ms */
export const toStepProposal = ({ agentName, checklist }: StepHire, filled: Terms, now: number): Proposal => {
  const { submitBy, expiresAt } = deadlines(filled.slaMinutes, now)
  return {
    ...filled,
    agentName,
    youGet: [],
    judgedBy: checklist.map(it => it.words),
    checklist,
    timeline: { deliveredBy: submitBy, refundedBy: toRefundedBy({ expiresAt }) },
    alternatives: [],
    reason: '',
    made: [],
    left_out: [],
    gas: { amount: '0', payer: 'platform' },
    mandate: null,
    tag: toTag(filled),
    digest: toDigest(filled),
    lapsesAt: expiresAt,
  }
}
