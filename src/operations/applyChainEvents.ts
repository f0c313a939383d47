import type { Hex } from '../domain/hex.ts'
import { formatUsdc } from '../domain/money.ts'
import type { Chain, ChainEvent, ChainJob, Job, Posting, Store, Tables } from '../ports.ts'
import { tellTransaction } from './tellTransaction.ts'

type Reach = { store: Store; chain: Chain }
type Named<N extends ChainEvent['name']> = Extract<ChainEvent, { name: N }>

/** Applies a range of escrow events and moves the cursor past it, in one write. */
export const applyChainEvents = async (
  deps: Reach,
  events: ChainEvent[],
  cursor: { number: bigint; hash: Hex },
): Promise<void> => {
  const funded = events.filter(it => it.name === 'JobFunded')
  // An event says that something happened; what it was is read from the contract itself, before the write.
  const jobs = new Map(await Promise.all(funded.map(async it => [it.chainJobId, await deps.chain.job(it.chainJobId)] as const)))
  const keys = new Map(events.filter(it => it.name === 'JobCreated').map(it => [it.chainJobId, it.jobKey]))
  await deps.store.atomically(async tables => {
    for (const event of events) await apply({ tables, chain: deps.chain, jobs, keys }, event)
    await tables.setCursor(deps.chain.chainId, cursor)
  })
}

type Applying = { tables: Tables; chain: Chain; jobs: ReadonlyMap<bigint, ChainJob>; keys: ReadonlyMap<bigint, string> }

const apply = async (at: Applying, event: ChainEvent): Promise<void> => {
  if (event.name === 'JobFunded') return applyFunded(at, event)
  if (event.name === 'JobSubmitted') return applySubmitted(at, event)
  if (event.name === 'PaymentReleased') return applyReleased(at, event)
  if (event.name === 'Refunded') return applyRefunded(at, event)
}

/** The escrow holds what was agreed, from and for whom it was agreed: only then is the job offered to its agent. */
const applyFunded = async ({ tables, chain, jobs, keys }: Applying, event: Named<'JobFunded'>) => {
  const job = await tables.job(keys.get(event.chainJobId) ?? '')
  const onChain = jobs.get(event.chainJobId)
  if (!job || !onChain || !isAsAgreed(job, onChain, chain)) return
  if (!(await tables.moveJob(job.id, 'fund', { chainJobId: event.chainJobId }))) return
  await tell(tables, job, event, 'hire')
  await tables.post(
    posting(job, event, {
      step: 'escrow',
      legs: [
        [`wallet:${job.userWallet}`, -event.amount],
        [`escrow:${job.id}`, event.amount],
      ],
    }),
  )
  await tables.moveJob(job.id, 'queue')
}

const applySubmitted = async ({ tables, chain }: Applying, event: Named<'JobSubmitted'>) => {
  const job = await tables.jobOnChain(chain.chainId, event.chainJobId)
  if (job) await tell(tables, job, event, 'submit')
}

const tell = (tables: Tables, job: Job, event: ChainEvent, step: string) =>
  tellTransaction(tables, job, { step, hash: event.txHash, blockNumber: event.blockNumber, success: true })

const isAsAgreed = (job: Job, onChain: ChainJob, chain: Chain) =>
  onChain.client === job.userWallet &&
  onChain.provider === job.agentWallet &&
  onChain.evaluator === chain.evaluator &&
  onChain.budget === job.budget

const applyReleased = async ({ tables, chain }: Applying, event: Named<'PaymentReleased'>) => {
  const job = await tables.jobOnChain(chain.chainId, event.chainJobId)
  if (!job || !(await tables.moveJob(job.id, 'confirm'))) return
  await tell(tables, job, event, 'complete')
  const fee = job.budget - event.amount
  const legs: Legs = [
    [`escrow:${job.id}`, -job.budget],
    [`wallet:${job.agentWallet}`, event.amount],
  ]
  if (fee > 0n) legs.push([`treasury:${chain.treasury}`, fee])
  await tables.post(posting(job, event, { step: 'payout', legs }))
  const amount = formatUsdc(event.amount, chain.usdcDecimals)
  await tables.addRunEvent(job.runId, {
    kind: 'payment.settled',
    summary: `${amount} USDC are in the agent wallet ${job.agentWallet}.`,
    data: { job_id: job.id, amount, currency: 'USDC', payee: job.agentWallet, transaction: event.txHash },
    key: `payout:${job.id}`,
  })
}

/** The escrow returned the money, by our evaluator or by anyone after expiry: the job follows. */
const applyRefunded = async ({ tables, chain }: Applying, event: Named<'Refunded'>) => {
  const job = await tables.jobOnChain(chain.chainId, event.chainJobId)
  if (!job) return
  const direct = await tables.moveJob(job.id, 'refund')
  const refunded = direct ?? ((await tables.moveJob(job.id, 'expire')) && (await tables.moveJob(job.id, 'refund')))
  if (!refunded) return
  await tell(tables, job, event, 'refund')
  await tables.post(
    posting(job, event, {
      step: 'refund',
      legs: [
        [`escrow:${job.id}`, -event.amount],
        [`wallet:${job.userWallet}`, event.amount],
      ],
    }),
  )
}

type Legs = [account: string, amount: bigint][]

const posting = (job: Job, event: ChainEvent, { step, legs }: { step: string; legs: Legs }): Posting => ({
  key: `job:${job.id}:${step}`,
  chainId: job.chainId,
  jobId: job.id,
  runId: job.runId,
  txHash: event.txHash,
  entries: legs.map(([account, amount]) => ({ account, amount })),
})
