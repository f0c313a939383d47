import { z } from 'zod'
import { namedFile } from '../../domain/files/namedFile.ts'
import { isObject, type JsonObject } from '../../domain/json.ts'
import { proposal } from '../../domain/runs/proposal.ts'
import { paymentRecord } from '../../records/payment.ts'
import { planRecord, planStepRecord } from '../../records/plan.ts'
import { purchaseRecord } from '../../records/purchase.ts'
import { runRecord } from '../../records/run.ts'
import { type Client, Refused } from '../client.ts'

const terms = proposal.pick({ digest: true, total: true, usage: true, left_out: true }).loose()
const step = planStepRecord
  .pick({ number: true, agent_handle: true, offering_name: true, price: true, run_id: true, job_id: true })
  .extend({ state: z.string() })
  .loose()
const plan = planRecord
  .pick({ digest: true, total: true, paid: true, refunded: true })
  .extend({ state: z.string(), steps: z.array(step), unplanned: z.array(z.string()).default([]) })
  .loose()
const job = runRecord.shape.job.unwrap().pick({ job_id: true, state: true, deliverable: true, reason: true }).loose()

const delivered = namedFile.pick({ file_id: true, name: true, bytes: true })

/** What the commands read of a run. A newer service may have more states. */
export const shownRun = runRecord
  .pick({ run_id: true, conversation_id: true, content: true })
  .extend({
    state: z.string(),
    proposal: terms.optional(),
    purchase: terms.extend({ scheme: z.literal('upto').optional() }).optional(),
    plan: plan.optional(),
    unplanned: z.array(z.string()).optional(),
    job: job.optional(),
    verdict: z
      .object({ files: z.array(delivered).optional() })
      .loose()
      .optional(),
  })
  .loose()
export type ShownRun = z.infer<typeof shownRun>

export const payments = z.array(
  paymentRecord.pick({ amount: true, transaction: true }).extend({ type: z.string() }).catchall(z.json()),
)

const purchased = purchaseRecord.pick({ status: true, content: true }).extend({ state: z.string() })

export const filesOf = async (client: Client, { plan: planned, verdict }: ShownRun): Promise<z.infer<typeof delivered>[]> => {
  const ids = planned?.steps.flatMap(it => it.run_id ?? []) ?? []
  const steps = await Promise.all(ids.map(async id => shownRun.parse(await client.get(`/runs/${encodeURIComponent(id)}`))))
  return [verdict, ...steps.map(it => it.verdict)].flatMap(it => it?.files ?? [])
}

/** The types of payments that a provider or seller received. */
const received = ['payout', 'payment']

/** Builds the result of a plan: its bill, its steps, and the payments of all of them. */
const toPlanResult = async (client: Client, { run_id, content }: ShownRun, of: z.infer<typeof plan>): Promise<JsonObject> => {
  const paid = payments.parse(await client.get(`/runs/${encodeURIComponent(run_id)}/payments`))
  return {
    run_id,
    state: of.state,
    paid: of.paid,
    refunded: of.refunded,
    unplanned: of.unplanned,
    content,
    steps: of.steps.map(({ number, agent_handle, offering_name, state, price, job_id = '' }) => ({
      number,
      agent_handle,
      offering_name,
      state,
      price,
      job_id,
    })),
    transactions: paid.map(({ type, amount, transaction }) => ({ type, amount, transaction })),
  }
}

/** Builds the result of a hire or purchase: its outcome, the deliverable, the payments and their transactions. */
export const toHireResult = async (client: Client, run: ShownRun): Promise<JsonObject> => {
  const { run_id, state, content, job, unplanned } = run
  if (run.plan) return toPlanResult(client, run, run.plan)
  const purchase = job ? undefined : await purchaseOf(client, run_id)
  const paid = job || purchase ? payments.parse(await client.get(`/runs/${encodeURIComponent(run_id)}/payments`)) : []
  return {
    run_id,
    job_id: job?.job_id ?? '',
    state: job?.state ?? purchase?.state ?? state,
    deliverable: job?.deliverable ?? purchase?.content ?? '',
    paid: paid.find(it => received.includes(it.type))?.amount ?? '0',
    transactions: paid.map(({ type, amount, transaction }) => ({ type, amount, transaction })),
    content,
    ...(unplanned && { unplanned }),
    ...(purchase && { status: purchase.status }),
  }
}

/** Reads the purchase of a run; undefined if the run pays for none. */
const purchaseOf = async (client: Client, runId: string) => {
  const found = await client.get(`/v1/purchases/${encodeURIComponent(runId)}`).catch((error: unknown) => {
    if (error instanceof Refused && error.code === 'purchase-not-found') return undefined
    throw error
  })
  return found === undefined ? undefined : purchased.parse(found)
}

/** Whether each step of a plan was paid. */
const isWhole = ({ state, steps }: JsonObject): boolean =>
  state === 'ended' && Array.isArray(steps) && steps.every(it => isObject(it) && it.state === 'paid')

/** Whether a hire was settled, a purchase was paid and answered, or a plan was done as a whole. */
export const isSuccess = ({ state, status, ...of }: JsonObject): boolean =>
  state === 'settled' ||
  isWhole({ state: state ?? '', ...of }) ||
  (state === 'paid' && typeof status === 'number' && status >= 200 && status < 300)
