import { fileMembersOf } from '../../domain/files/fileMembers.ts'
import type { Listing } from '../../domain/offerings/offering.ts'
import type { PlanStep } from '../../domain/plans/plan.ts'
import { stepNow } from '../../domain/plans/progress.ts'
import { toStepText } from '../../domain/runTexts/plans.ts'
import { toLabel } from '../../domain/text/labelled.ts'
import { toQuotable } from '../../domain/text/quotableText.ts'
import { type Property, toProperties } from '../../language/fields/requirement.ts'
import type { Job, StoredPlan } from '../../ports.ts'
import { paymentsOf } from '../runs/readPayments.ts'
import { type FactDeps, nameOf, sumOf } from './facts.ts'

export const describeEnded = async (deps: FactDeps, job: Job): Promise<string> => {
  const { terms, state, kind, reason } = job
  const payments = await paymentsOf(deps, job.runId)
  if (state === 'settled') {
    const payout = payments.find(it => it.type === 'payout')
    const paid = payout
      ? `${payout.amount} USDC were paid to ${terms.agentHandle} (transaction ${payout.transaction}); ` +
        `it cost you ${sumOf(deps, [job])} USDC.`
      : 'It cost nothing.'
    return `${nameOf(job)} was delivered and passed its checks. ${paid}`
  }
  const back = payments.find(it => it.type === 'refund')
  const where =
    kind !== 'hire'
      ? 'It cost nothing.'
      : `Your ${terms.total} USDC are back in your wallet${back ? ` (transaction ${back.transaction})` : ''}.`
  return `${nameOf(job)} ended without a result. ${reason || 'Nothing came in time.'} ${where}`
}

/** Describes how the last work ended: each step of a plan, or the one job. */
export const describeLast = async (deps: FactDeps, job: Job): Promise<string> => {
  const step = await deps.store.stepOf(job.runId)
  const stored = step && (await deps.store.plan(step.planId))
  if (!stored || stored.plan.steps.length === 1) return describeEnded(deps, job)
  return (await Promise.all(stored.plan.steps.map(it => describeStep(deps, stored, it)))).join('\n')
}

const describeStep = async (deps: FactDeps, stored: StoredPlan, step: PlanStep): Promise<string> => {
  const { rows, last, state, hire } = stepNow(step, stored)
  const { number } = step
  const job = last?.job && !last.job.bought ? await deps.store.job(last.job.id) : undefined
  if (job) return `Step ${number}: ${await describeEnded(deps, job)}`
  const bought = last?.job?.bought && (await deps.buying?.describe(deps, last.runId))
  const { offeringName, agentHandle } = hire.terms
  const told = toStepText({ number, state, offeringName, agentHandle }, rows.skipped ?? last?.answer)
  return bought ? `Step ${number}: ${bought}` : told
}

// Says what an offering delivers: the form by its schema, in words of code, and what its provider says of it, as a quotation.

const kinds: Record<string, string> = {
  ...{ string: 'a text', number: 'a number', integer: 'a whole number', boolean: 'yes or no', object: 'several values' },
  ...{ date: 'a date', 'date-time': 'a date with a time', time: 'a time', uri: 'an address', email: 'an e-mail address' },
}
const maxParts = 8
const partChars = 60
const quotedChars = 200

const listed = (names: string[]): string => {
  const shown = names.slice(0, maxParts).map(it => toQuotable(toLabel(it), partChars))
  return names.length > maxParts ? `${shown.join(', ')} and more` : shown.join(', ')
}

const toKind = (it: Property): string => {
  if (it.allowed.length > 0) return `one of ${listed(it.allowed.map(String))}`
  if (it.members.length > 0) return `a list, each with ${listed(it.members.map(one => one.path.at(-1) ?? one.name))}`
  if (it.type === 'array') return 'a list'
  return kinds[it.format] ?? kinds[it.type] ?? 'a value'
}

export const describeDeliverable = ({ deliverable, description }: Pick<Listing, 'deliverable' | 'description'>): string => {
  const files = new Map(fileMembersOf(deliverable).map(it => [it.name, it]))
  const parts = toProperties(deliverable).map(it => {
    const file = files.get(it.name)
    const type = file?.mediaType ? ` of type ${toQuotable(file.mediaType, partChars)}` : ''
    const kind = file ? `${file.isList ? 'several files' : 'a file'}${type}` : toKind(it)
    const own = it.description ? `: “${toQuotable(it.description, quotedChars)}”` : ''
    return `${toQuotable(toLabel(it.name), partChars)} (${kind})${own}`
  })
  const form = parts.length === 0 ? 'one text' : parts.slice(0, maxParts).join('; ')
  return `You get ${form}. Its provider says of it: “${toQuotable(description, quotedChars)}”`
}
