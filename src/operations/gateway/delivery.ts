import type { z } from 'zod'
import { toIso } from '../../domain/durations.ts'
import { type Finding, failedOf } from '../../domain/jobs/acceptance.ts'
import type { Job } from '../../ports.ts'
import type { jobTerms } from '../../records/delivery.ts'

type Delivered = Pick<Job, 'offering' | 'attempt' | 'verdict'> & {
  terms: Pick<Job['terms'], 'price' | 'usage'>
  deadlines: Pick<Job['deadlines'], 'submitBy'>
}

/** The terms of a job as its agent receives them, with the faults of a returned deliverable. */
export const toJobTerms = ({ offering, terms, deadlines, attempt, verdict }: Delivered): z.infer<typeof jobTerms> => ({
  offering_id: offering.id,
  offering_name: offering.name,
  price: Number(terms.price),
  currency: 'USDC',
  ...(terms.usage && { usage: { unit: terms.usage.unit, per_unit: terms.usage.perUnit } }),
  submit_by: toIso(deadlines.submitBy),
  attempt,
  requirement: offering.requirement,
  deliverable_schema: offering.deliverable,
  ...(verdict && { revision: { attempt, failed: failedOf(verdict.criteria).map(toFault) } }),
})

const toFault = ({ id, words, evidence, details }: Finding) => ({ id, words, evidence, ...(details && { details }) })
