import type { Chain, ChainEvent, Job, Store } from '../../ports.ts'

type Reach = { store: Store; chain: Chain }

const words = {
  JobCreated: undefined,
  JobFunded: 'The escrow of your hire',
  JobSubmitted: undefined,
  PaymentReleased: 'The payment of the agent',
  Refunded: 'The refund of your money',
} as const satisfies Record<ChainEvent['name'], string | undefined>

/** Adds unconfirmed events to the runs' logs. They have no other effect, because they may disappear again. */
export const tellSeen = async ({ store, chain }: Reach): Promise<void> => {
  const events = (await chain.unconfirmedEvents?.()) ?? []
  const keys = new Map(events.flatMap(it => (it.name === 'JobCreated' ? [[it.chainJobId, it.jobKey] as const] : [])))
  for (const event of events) {
    const what = words[event.name]
    const job = what && (await jobOf({ store, chain }, event, keys.get(event.chainJobId)))
    if (job) await store.addRunEvent(job.runId, seen(job, event, what))
  }
}

const jobOf = async ({ store, chain }: Reach, { chainJobId }: ChainEvent, key: string | undefined): Promise<Job | undefined> => {
  const job = key === undefined ? await store.jobOnChain(chain.chainId, chainJobId) : await store.job(key)
  return job?.chainId === chain.chainId ? job : undefined
}

const seen = (job: Job, { txHash: hash, blockNumber }: ChainEvent, what: string) => ({
  kind: 'transaction' as const,
  summary: `${what} was seen in block ${blockNumber} (${hash}). It counts after enough confirmations.`,
  data: { job_id: job.id, hash, seen: true },
  key: `seen:${hash}`,
})
