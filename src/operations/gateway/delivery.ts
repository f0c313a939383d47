import { z } from 'zod'
import { type Finding, failedOf, revision } from '../../domain/acceptance.ts'
import { jsonObject } from '../../domain/json.ts'
import { attemptOf } from '../../domain/testDeliveries.ts'
import type { Job, TestJob } from '../../ports.ts'

/** The terms of a leased job, as the agent gets them by poll or call. */
export const jobTerms = z.object({
  offering_id: z.string(),
  offering_name: z.string(),
  price: z.number().describe('USDC'),
  currency: z.literal('USDC'),
  submit_by: z.string().describe('ISO 8601; a later deliverable is not paid'),
  attempt: z.number().describe('Number of this attempt, from 1'),
  requirement: jsonObject.describe('JSON Schema of the input'),
  deliverable_schema: jsonObject.describe('JSON Schema of the deliverable; empty when any text is accepted'),
  test: z.literal(true).optional().describe('A test job of the agent’s owner: it pays nothing and counts nowhere'),
  revision: revision.optional().describe('Failed checks of the previous deliverable; absent in the first attempt'),
})

type Delivered = Pick<Job, 'offering' | 'attempt' | 'verdict'> & {
  terms: Pick<Job['terms'], 'price'>
  deadlines: Pick<Job['deadlines'], 'submitBy'>
}

/** The terms of a job as its agent receives them, with the faults of a returned deliverable. */
export const toJobTerms = ({ offering, terms, deadlines, attempt, verdict }: Delivered): z.infer<typeof jobTerms> => ({
  offering_id: offering.id,
  offering_name: offering.name,
  price: Number(terms.price),
  currency: 'USDC',
  submit_by: new Date(deadlines.submitBy).toISOString(),
  attempt,
  requirement: offering.requirement,
  deliverable_schema: offering.deliverable,
  ...(verdict && { revision: { attempt, failed: failedOf(verdict.criteria).map(toFault) } }),
})

/** The terms of a test job as its agent receives them. */
export const toTestTerms = ({ offering, submitBy, ...it }: TestJob): z.infer<typeof jobTerms> => ({
  ...toJobTerms({ offering, terms: { price: '0' }, deadlines: { submitBy }, attempt: attemptOf(it), verdict: undefined }),
  test: true,
})

const toFault = ({ id, words, evidence, details }: Finding) => ({ id, words, evidence, ...(details && { details }) })
