import { z } from 'zod'
import { jsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { completeJob } from '../operations/gateway/completeJob.ts'
import { pollJob } from '../operations/gateway/pollJob.ts'
import { readJob } from '../operations/jobs/readJobs.ts'
import { readEarnings } from '../operations/market/readStats.ts'
import type { Completed } from '../records/delivery.ts'
import { deliveredFile } from '../records/file.ts'
import { takes, updates } from './annotations.ts'
import type { ToolDeps } from './answer.ts'
import { partOf, type ToolView } from './fit.ts'
import { field, toFields, toReadOn } from './marketView.ts'
import { type ToolEntry, tool } from './tool.ts'

/**
 * Earnings are shown to the owner of an agent only. Others get agent-not-found here, before a job is leased or completed: an
 * agent that polls without a credential would otherwise lose its jobs to any model.
 */
const requireOwner = async (agent: string, { call }: Pick<ToolDeps, 'call'>): Promise<void> =>
  void (await call(readEarnings, { agent, starts: new Date().toISOString() }))

type Delivered = Extract<z.output<typeof pollJob.output>, { job_id: string }>

const work = z.object({
  job_id: z.string(),
  agent_id: z.string(),
  offering_id: z.string(),
  offering_name: z.string(),
  price: z.number().describe('USDC'),
  submit_by: z.string(),
  attempt: z.number(),
  test: z.literal(true).optional(),
  input: z.string().describe('From the hirer; get_job reads a long one on'),
  input_chars: z.number(),
  gives: z.array(field).describe('The members of the deliverable; none when it is any text'),
  faults: z.array(z.string()).describe('What was wrong with the previous deliverable'),
  files: z.array(deliveredFile).optional().describe('The files of the input'),
  upload_url: z.string().optional().describe('POST the bytes of a file here with ?name='),
})

const isJob = (it: z.output<typeof pollJob.output>): it is Delivered => 'job_id' in it

const showWork = (found: z.output<typeof pollJob.output>, chars: number): ToolView => {
  if (!isJob(found)) return { view: {}, nextStep: 'No job came. Call poll_job again to wait for one.' }
  const { job_id, agent_id, offering_id, offering_name, price, submit_by, attempt, test, job_input, revision } = found
  const { files, upload_url, usage } = found
  const input = partOf(job_input, 0, chars)
  // The description of the job is the name of the offering, a colon, a space, and the input.
  const begins = offering_name.length + 2
  const readOn = toReadOn(job_id, { at: begins + input.length, of: begins + job_input.length })
  const units = usage && ` It is charged by use: say in units how many (${usage.unit}).`
  const step = `Do the work, then call complete_job with job_id "${job_id}" before ${submit_by}.${units ?? ''}`
  const job = {
    job_id,
    agent_id,
    offering_id,
    offering_name,
    price,
    submit_by,
    attempt,
    ...(test && { test }),
    input,
    input_chars: job_input.length,
    gives: toFields(found.deliverable_schema, chars),
    faults: (revision?.failed ?? []).slice(0, 10).map(it => `${it.words}: ${it.evidence}`),
    ...(files && { files }),
    ...(upload_url && { upload_url }),
  }
  return { view: { job }, nextStep: [readOn && `The input is longer. ${readOn}`, step].filter(Boolean).join(' ') }
}

const showCompleted = (view: Completed): ToolView => {
  const { accepted, state, evaluation } = view
  if (!accepted) return { view, nextStep: `The job is ${state}, so this changed nothing.` }
  if (evaluation && !evaluation.pass)
    return { view, nextStep: 'It failed checks. Call poll_job: the job may come back for a revision.' }
  return { view, nextStep: 'Call poll_job for the next job, or earnings for what was paid.' }
}

/** Tools with which the owner of an agent does its jobs. */
export const workTools: readonly ToolEntry[] = [
  tool({
    name: 'poll_job',
    title: 'Take a job',
    operation: pollJob,
    annotations: takes,
    description: 'Take the next job of one of your agents, or wait for one. A polling agent is online and is found.',
    input: z.object({
      agent: z.string().max(200).describe('Id or handle'),
      wait_seconds: z
        .number()
        .min(0)
        .max(limits.pollWaitMs / 1_000)
        .default(20),
    }),
    toInput: ({ agent, wait_seconds }) => ({ agent, timeout: wait_seconds }),
    before: ({ agent }, deps) => requireOwner(agent, deps),
    output: z.object({ job: work.optional() }),
    show: (found, { chars }) => showWork(found, chars),
  }),
  tool({
    name: 'complete_job',
    title: 'Complete a job',
    operation: completeJob,
    annotations: updates,
    description: 'Submit the deliverable of a job that you took, or say with failed that it cannot be done. The first counts.',
    input: z.object({
      job_id: z.string().max(100),
      deliverable: z.union([z.string(), jsonObject]).optional(),
      units: z.number().optional(),
      failed: z.string().min(1).max(limits.messageChars).optional().describe('Why not; the hirer is refunded'),
    }),
    toInput: ({ job_id, deliverable, units, failed }) =>
      failed === undefined ? { job_id, deliverable, units } : { job_id, status: 'failed', error: failed },
    before: async ({ job_id }, deps) => {
      const { provider_id } = readJob.output.parse(await deps.call(readJob, { job_id }))
      await requireOwner(provider_id, deps)
    },
    output: completeJob.output,
    show: showCompleted,
  }),
]
