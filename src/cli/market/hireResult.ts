import { z } from 'zod'
import type { JsonObject } from '../../domain/json.ts'
import { proposal } from '../../domain/runs/proposal.ts'
import { paymentRecord } from '../../records/payment.ts'
import { purchaseRecord } from '../../records/purchase.ts'
import { runRecord } from '../../records/run.ts'
import { type Client, Refused } from '../client.ts'

const terms = proposal.pick({ digest: true, total: true }).loose()
const job = runRecord.shape.job.unwrap().pick({ job_id: true, state: true, deliverable: true, reason: true }).loose()

/** What the commands read of a run. A newer service may have more states. */
export const shownRun = runRecord
  .pick({ run_id: true, conversation_id: true, content: true })
  .extend({ state: z.string(), proposal: terms.optional(), purchase: terms.optional(), job: job.optional() })
  .loose()
export type ShownRun = z.infer<typeof shownRun>

export const payments = z.array(
  paymentRecord.pick({ amount: true, transaction: true }).extend({ type: z.string() }).catchall(z.json()),
)

const purchased = purchaseRecord.pick({ status: true, content: true }).extend({ state: z.string() })

/** The types of payments that a provider or seller received. */
const received = ['payout', 'payment']

/** Builds the result of a hire or purchase: its outcome, the deliverable, the payments and their transactions. */
export const toHireResult = async (client: Client, { run_id, state, content, job }: ShownRun): Promise<JsonObject> => {
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

/** Whether a hire was settled, or a purchase was paid and answered. */
export const isSuccess = ({ state, status }: JsonObject): boolean =>
  state === 'settled' || (state === 'paid' && typeof status === 'number' && status >= 200 && status < 300)
