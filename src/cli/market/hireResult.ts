import { z } from 'zod'
import type { JsonObject } from '../../domain/json.ts'
import { type Client, Refused } from '../client.ts'

const terms = z.object({ digest: z.string(), total: z.string() }).loose()

export const runRecord = z
  .object({
    run_id: z.string(),
    conversation_id: z.string(),
    state: z.string(),
    content: z.string(),
    proposal: terms.optional(),
    purchase: terms.optional(),
    job: z.object({ job_id: z.string(), state: z.string(), deliverable: z.string(), reason: z.string() }).loose().optional(),
  })
  .loose()
export type RunRecord = z.infer<typeof runRecord>

export const payments = z.array(z.object({ type: z.string(), amount: z.string(), transaction: z.string() }).catchall(z.json()))

const purchased = z.object({ state: z.string(), status: z.number().nullable(), content: z.string() })

/** The types of payments that a provider or seller received. */
const received = ['payout', 'payment']

/** Builds the result of a hire or purchase: its outcome, the deliverable, the payments and their transactions. */
export const toHireResult = async (client: Client, { run_id, state, content, job }: RunRecord): Promise<JsonObject> => {
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
