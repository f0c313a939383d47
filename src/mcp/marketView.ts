import { z } from 'zod'
import type { JsonObject } from '../domain/json.ts'
import { fieldsOf } from '../domain/schemas/schema.ts'
import { type AgentRecord, agentRecord, offeringHit } from '../records/agent.ts'
import { type OutsideHit, outsideHit } from '../records/outside.ts'
import { type JobRecord, jobRecord } from '../records/postedJob.ts'
import { cutText, partOf, type ToolView } from './fit.ts'

export const rowsAtOnce = 10
/** Maximum characters of a text in a row. Ten rows of this size fit in one result. */
const rowChars = 160
const maxFields = 12

/** The offset of a list. A truncated result names the `from` of the next call. */
export const from = z.number().int().min(0).default(0).describe('First row, from 0')

const readOn = (name: string, at: { from: number; total: number }) => (shown: number) =>
  at.from + shown < at.total ? `${at.total - at.from - shown} more: call ${name} with from ${at.from + shown}.` : undefined

export const agentRow = agentRecord
  .pick({ agent_id: true, handle: true, name: true, description: true, verified: true })
  .extend({ offerings: z.number(), price_from: z.number().optional().describe('USDC'), score: z.number().describe('0 to 1') })

type AgentPage = { data: AgentRecord[]; total: number; page: number }

/** The view of list_agents: at most ten agents, without their offerings. */
export const showAgents = (found: AgentPage, { args, chars }: { args: { from: number }; chars: number }): ToolView => {
  const most = Math.min(rowChars, chars)
  const agents = found.data.slice(args.from % rowsAtOnce).map(it => ({
    agent_id: it.agent_id,
    handle: it.handle,
    name: cutText(it.name, most),
    verified: it.verified,
    description: cutText(it.description, most),
    offerings: it.job_offerings.length,
    ...(it.job_offerings.length > 0 && { price_from: it.price.amount }),
    score: it.reputation.score,
  }))
  const at = { from: args.from, total: found.total }
  return { view: { agents, total: found.total }, rows: 'agents', more: readOn('list_agents', at) }
}

export const field = offeringHit.shape.needs.element
const offeringView = z.object({
  offering_id: z.string(),
  name: z.string(),
  description: z.string(),
  price: z.number().describe('USDC'),
  sla_minutes: z.number(),
  listed: z.boolean().describe('False when search does not return it'),
  needs: z.array(field),
  gives: z.array(field),
})

export const agentView = agentRecord
  .pick({ agent_id: true, handle: true, name: true, description: true, chain_id: true, owner_id: true, wallet_address: true })
  .extend({
    ...agentRecord.pick({ endpoint_url: true, version: true, verified: true, created_at: true, stats: true, reputation: true })
      .shape,
    offerings: z.array(offeringView),
    total_offerings: z.number(),
  })

export const showAgent = (it: AgentRecord, { args, chars }: { args: { from: number }; chars: number }): ToolView => {
  const { card: _card, skills: _skills, metadata: _metadata, price: _price, display_name: _name, job_offerings, ...rest } = it
  const shown = job_offerings.slice(args.from, args.from + rowsAtOnce)
  const offerings = shown.map(one => ({
    offering_id: one.id,
    name: one.name,
    description: cutText(withUsage(one, toUsage(one.price_v2)), chars),
    price: one.price_v2.amount,
    sla_minutes: one.sla_minutes,
    listed: one.active && !one.hide && !one.restricted,
    needs: toFields(one.requirement, chars),
    gives: toFields(one.deliverable, chars),
  }))
  const total = job_offerings.length
  const more = readOn('get_agent', { from: args.from, total })
  return { view: { ...rest, offerings, total_offerings: total }, rows: 'offerings', more }
}

/** A description that begins with the usage price, because each member of a result is described to every model. */
const withUsage = ({ description }: { description: string }, charged: string | undefined) =>
  charged === undefined ? description : `The price is the most: ${charged}. ${description}`

const toUsage = ({ per_unit, unit, counting }: AgentRecord['job_offerings'][number]['price_v2']) =>
  per_unit === undefined ? undefined : `${per_unit} USDC per unit (${unit}, ${counting})`

export const toFields = (schema: JsonObject, chars: number) =>
  fieldsOf(schema)
    .slice(0, maxFields)
    .map(({ name, type, description, required }) => ({
      field: cutText(name, chars),
      type: cutText(type, chars),
      description: cutText(description, Math.min(chars, rowChars)),
      required,
    }))

export const hitRow = offeringHit
  .omit({ reputation: true, tags: true, sample: true, main: true, charged: true })
  .extend({ score: z.number().describe('Reputation, 0 to 1') })

/** A resource of another service. The texts are its seller's, so few of them are repeated. */
export const outsideRow = outsideHit.pick({
  ...{ url: true, name: true, price: true, scheme: true, payee: true, words: true, place: true },
})

type Hits = { offerings: z.infer<typeof offeringHit>[]; outside?: OutsideHit[] | undefined }

export const showHits = ({ offerings, outside }: Hits, { chars }: { chars: number }): ToolView => ({
  view: {
    offerings: offerings.map(({ reputation, needs, tags: _tags, sample: _sample, main: _main, charged, ...it }) => ({
      ...it,
      description: cutText(withUsage(it, charged), Math.min(chars, 2 * rowChars)),
      needs: needs.slice(0, maxFields).map(one => ({ ...one, description: cutText(one.description, Math.min(chars, rowChars)) })),
      score: reputation.score,
    })),
    ...(outside && {
      outside: outside.map(it => outsideRow.parse(it)),
    }),
  },
  nextStep:
    offerings.length > 0
      ? 'Call propose_hire with the task, and name the agent_handle of the offering that fits.'
      : 'Search with other words, another chain_id or a higher max_price.',
  rows: 'offerings',
  more: shown => (shown < offerings.length ? `${offerings.length - shown} more: search with narrower words.` : undefined),
})

export const jobView = jobRecord.omit({ id: true, metadata: true, deliverable_uri: true, deliverable_hash: true }).extend({
  run_id: z.string().optional(),
  deliverable: z.string().describe('Empty until submitted; a long one is truncated'),
  deliverable_chars: z.number(),
})

/** The view of a job, without members that repeat others. */
export const toJobView = (job: JobRecord, chars: number) => {
  const { id: _id, metadata, deliverable_uri: _uri, deliverable_hash: _hash, ...rest } = job
  const { deliverable_data: given, run_id } = metadata
  const deliverable = given === undefined ? '' : typeof given === 'string' ? given : JSON.stringify(given)
  return {
    ...rest,
    description: cutText(rest.description, Math.min(chars, 2 * rowChars)),
    ...(typeof run_id === 'string' && { run_id }),
    deliverable: cutText(deliverable, chars),
    deliverable_chars: deliverable.length,
  }
}

/** The view of get_job. A truncated deliverable comes with the call that reads the rest. */
export const showJob = (job: JobRecord, { args, chars }: { args: { description_from: number }; chars: number }): ToolView => {
  const from = args.description_from
  if (from > 0) return showDescription(job, { from, chars })
  const view = toJobView(job, chars)
  const isCut = view.deliverable.length < view.deliverable_chars
  const place = view.run_id ? `call get_run with run_id "${view.run_id}"` : `read the resource market://jobs/${job.job_id}`
  return { view, nextStep: isCut ? `For the whole deliverable, ${place}.` : undefined }
}

const showDescription = (job: JobRecord, { from, chars }: { from: number; chars: number }): ToolView => {
  const part = partOf(job.description, from, chars)
  const view = { ...toJobView(job, rowChars), description: part }
  return { view, nextStep: toReadOn(job.job_id, { at: from + part.length, of: job.description.length }) }
}

/** The call that reads the description of a job from a character on; undefined at its end. */
export const toReadOn = (jobId: string, { at, of }: { at: number; of: number }): string | undefined =>
  at < of ? `It continues: call get_job with job_id "${jobId}" and description_from ${at}.` : undefined

export const jobRow = jobRecord
  .pick({ job_id: true, status: true, description: true, client_id: true, provider_id: true, reason: true, created_at: true })
  .extend({ run_id: z.string().optional(), amount: z.number().describe('USDC'), submit_by: z.string().optional() })

/** The view of list_jobs: at most ten jobs, newest first. */
export const showJobs = (jobs: JobRecord[], { args, chars }: { args: { from: number }; chars: number }): ToolView => {
  const rows = jobs.slice(args.from, args.from + rowsAtOnce).map(job => {
    const { job_id, status, description, client_id, provider_id, reason, created_at, deadlines, metadata } = job
    return {
      job_id,
      status,
      client_id,
      provider_id,
      created_at,
      amount: job.reward_amount,
      description: cutText(description, Math.min(chars, rowChars)),
      reason: cutText(reason, Math.min(chars, rowChars)),
      ...(typeof metadata.run_id === 'string' && { run_id: metadata.run_id }),
      ...(deadlines && { submit_by: deadlines.submit_by }),
    }
  })
  return {
    view: { jobs: rows, total: jobs.length },
    rows: 'jobs',
    more: readOn('list_jobs', { from: args.from, total: jobs.length }),
  }
}
