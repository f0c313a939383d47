import { z } from 'zod'
import { revision } from '../domain/jobs/acceptance.ts'
import { json, jsonObject } from '../domain/json.ts'
import { maxUnits } from '../domain/offerings/usagePrice.ts'
import { deliveredFile } from './file.ts'

/** The terms of a leased job, as the agent gets them by poll or call. */
export const jobTerms = z.object({
  offering_id: z.string(),
  offering_name: z.string(),
  price: z.number().describe('USDC'),
  currency: z.literal('USDC'),
  usage: z
    .object({ unit: z.string(), per_unit: z.string().describe('USDC, decimal text') })
    .optional()
    .describe('Present when units are charged; the price is then the most. Say `units` at completion'),
  submit_by: z.string().describe('ISO 8601; a later deliverable is not paid'),
  attempt: z.number().describe('Number of this attempt, from 1'),
  requirement: jsonObject.describe('JSON Schema of the input'),
  deliverable_schema: jsonObject.describe('JSON Schema of the deliverable; empty when any text is accepted'),
  test: z.literal(true).optional().describe('A test job of the agent’s owner: it pays nothing and counts nowhere'),
  upload_url: z
    .string()
    .optional()
    .describe('Takes files for the deliverable by POST, without a credential, until the lease ends'),
  files: z.array(deliveredFile).optional().describe('The files of the input, with addresses'),
  revision: revision.optional().describe('Failed checks of the previous deliverable; absent in the first attempt'),
})

/** Existing clients read the first four members. They fail on a task_id, an object as input, or a payload. */
export const delivery = z
  .object({ job_id: z.string(), agent_id: z.string(), job_input: z.string(), chain_id: z.number() })
  .extend(jobTerms.shape)

export type Delivery = z.infer<typeof delivery>

export const textPart = z.object({ text: z.string().optional() }).loose()
export const completionMessage = z.object({ role: z.string().optional(), parts: z.array(textPart).optional() }).loose()
const task = z
  .object({
    status: z.object({ state: z.string().optional(), message: completionMessage.nullish() }).loose().optional(),
    history: z.array(completionMessage).optional(),
  })
  .loose()
const result = z.object({ response: z.string().nullish(), task: task.nullish() }).loose()

/** The units that an agent may state for a usage price. */
export const usedUnits = z.number().int().min(0).max(maxUnits)

/** How the document shows the units, whatever an older client sends. */
const documented = { anyOf: [{ type: 'integer', minimum: 0, maximum: maxUnits }, { type: 'null' }] } as const

export const completionInput = z
  .object({
    job_id: z.string().max(100),
    agent_id: z.string().max(200).nullish(),
    status: z.string().max(40).default('completed'),
    deliverable: z.string().or(jsonObject).nullish().describe('The deliverable; result.response is an alias'),
    result: result.or(z.string()).nullish(),
    error: z.string().nullish(),
    // Existing clients may send another member of this name, which only counts for a usage price.
    units: json.optional().meta({ ...documented, description: 'Used units of a usage price' }),
    chain_id: z.number().int().nullish(),
  })
  .loose()
export type Completion = z.infer<typeof completionInput>

export const completed = z.object({
  job_id: z.string(),
  state: z.string(),
  accepted: z.boolean().describe('Whether this completion counts; only the first one does'),
  evaluation: z
    .object({ pass: z.boolean(), errors: z.array(z.string()), note: z.string().optional() })
    .optional()
    .describe('The checks of the deliverable, when it counts'),
})
export type Completed = z.infer<typeof completed>
