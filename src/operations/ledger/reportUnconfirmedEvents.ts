import { isSeenEvent, type SeenEvent, toSeenText } from '../../domain/runTexts/transactions.ts'
import type { Chain, ChainEvent, Job, Store } from '../../ports.ts'

type Reach = { store: Store; chain: Chain }

/** Adds unconfirmed events to the runs' logs. They have no other effect, because they may disappear again. */
export const reportUnconfirmedEvents = async ({ store, chain }: Reach): Promise<void> => {
  const events = (await chain.unconfirmedEvents?.()) ?? []
  const keys = new Map(events.flatMap(it => (it.name === 'JobCreated' ? [[it.chainJobId, it.jobKey] as const] : [])))
  for (const event of events) {
    const { name, chainJobId } = event
    const job = isSeenEvent(name) && (await jobOf({ store, chain }, event, keys.get(chainJobId)))
    if (job) await store.addRunEvent(job.runId, seen(job, event, name))
  }
}

const jobOf = async ({ store, chain }: Reach, { chainJobId }: ChainEvent, key: string | undefined): Promise<Job | undefined> => {
  const job = key === undefined ? await store.jobOnChain(chain.chainId, chainJobId) : await store.job(key)
  return job?.chainId === chain.chainId ? job : undefined
}

const seen = (job: Job, event: ChainEvent, name: SeenEvent) => ({
  kind: 'transaction' as const,
  summary: toSeenText(name, event),
  data: { job_id: job.id, hash: event.txHash, seen: true },
  key: `seen:${event.txHash}`,
})
