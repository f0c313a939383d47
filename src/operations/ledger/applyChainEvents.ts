import type { Hex } from '../../domain/hex.ts'
import { type Atomic, formatUsdc } from '../../domain/money/money.ts'
import { ifReadable, Problem } from '../../domain/problem.ts'
import { toRefundReason } from '../../domain/runTexts/ends.ts'
import { toPaidOutText } from '../../domain/runTexts/payments.ts'
import type { Chain, ChainEvent, ChainJob, Job, PlacedEvent, Store, Tables } from '../../ports.ts'
import { type Booking, book, reportTransaction } from './bookings.ts'
import { decideEnd } from './payout.ts'

type Reach = { store: Store; chain: Chain }
type Named<N extends PlacedEvent['name']> = Extract<PlacedEvent, { name: N }>

type Reading = {
  /** The new position of the cursor; absent leaves it unchanged. With `from` it moves only from there. */
  cursor?: { number: bigint; hash: Hex }
  from?: { number: bigint; hash?: Hex | undefined }
  /** The chain is being read again from its start: no run is notified, and no effect is decided. */
  isReread?: boolean
}

/**
 * Applies a range of escrow events in one write. Events that were applied before are skipped. An event without an effect is not
 * stored: an earlier event may be missing, and this one must take effect when it is read again.
 * @returns whether the cursor is where it should be; another reader may have moved it, and the events are applied all the same
 */
export const applyChainEvents = async (deps: Reach, events: ChainEvent[], reading: Reading = {}): Promise<boolean> => {
  const { store, chain } = deps
  const { cursor, from, isReread = false } = reading
  const move = async ({ setCursor }: Pick<Store, 'setCursor'>) =>
    cursor === undefined || (await setCursor(chain.chainId, cursor, from))
  if (events.length === 0) return move(store)
  const keys = new Map(events.flatMap(it => (it.name === 'JobCreated' ? [[it.chainJobId, it.jobKey] as const] : [])))
  const unused = new Map(events.flatMap(it => (it.name === 'UnusedReturned' ? [[keyOfPayment(it), it.amount] as const] : [])))
  const funded = await readFunded(deps, { events, keys })
  return store.atomically(async tables => {
    const at = { tables, chain, ...funded, keys, unused, isReread }
    const applyAll = async () => {
      for (const event of withPlaces(events)) await applyOnce(at, event)
    }
    // The cursor is sent first, so that its answer comes with those of the events.
    const [isMoved] = await Promise.all([move(tables), applyAll()])
    return isMoved
  })
}

/**
 * Numbers the events of each transaction, whose logs are the same in every block. Duplicate logs of a faulty node are removed,
 * because they would shift the later numbers.
 */
export const withPlaces = (events: ChainEvent[]): PlacedEvent[] => {
  const counts = new Map<Hex, number>()
  const uniqueEvents = new Map(events.map(it => [`${it.blockHash}:${it.logIndex}`, it]))
  return [...uniqueEvents.values()]
    .toSorted((a, b) => Number(a.blockNumber - b.blockNumber) || a.logIndex - b.logIndex)
    .map(({ logIndex: _logIndex, ...event }) => {
      const place = counts.get(event.txHash) ?? 0
      counts.set(event.txHash, place + 1)
      return { ...event, place }
    })
}

/** Only the contract is trusted for the terms of a funded job. It is read before the write, with the job of this database. */
const readFunded = async (
  { store, chain }: Reach,
  { events, keys }: { events: ChainEvent[]; keys: ReadonlyMap<bigint, string> },
) => {
  const [jobs, known] = [new Map<bigint, ChainJob>(), new Map<bigint, Job>()]
  for (const event of events) {
    if (event.name !== 'JobFunded') continue
    const { chainJobId, client } = event
    const job = await ifReadable(() => store.job(keys.get(chainJobId) ?? ''))
    if (job) known.set(chainJobId, job)
    // Or an escrow that a wallet of this database has funded.
    if (job || (await store.walletByAddress(client))) jobs.set(chainJobId, await chain.job(chainJobId))
  }
  return { jobs, known }
}

/** A job is paid and gets its unused part back in the same transaction. */
const keyOfPayment = ({ txHash, chainJobId }: Pick<ChainEvent, 'txHash' | 'chainJobId'>) => `${txHash}:${chainJobId}`

const allBps = 10_000n

type Effective = Exclude<PlacedEvent, { name: 'JobCreated' | 'UnusedReturned' }>
type Applying = {
  tables: Tables
  chain: Chain
  jobs: ReadonlyMap<bigint, ChainJob>
  /** The funded jobs as they were read. The write compares them. */
  known: ReadonlyMap<bigint, Job>
  keys: ReadonlyMap<bigint, string>
  /** The unused parts that payments returned, by `keyOfPayment`. */
  unused: ReadonlyMap<string, Atomic>
  isReread: boolean
}

const applyOnce = async (at: Applying, event: PlacedEvent) => {
  // Without an effect: anyone can create a job with one of our job keys. JobFunded is checked against the contract.
  if (event.name === 'JobCreated') return
  // Booked with the payment of its transaction.
  if (event.name === 'UnusedReturned') return
  const [seq, job] = await Promise.all([at.tables.addChainEvent(at.chain.chainId, event), jobOf(at, event)])
  if (seq !== undefined && !(await apply(at, event, job))) await at.tables.dropChainEvent(seq)
}

/** Applies one event; true when it had an effect. */
const apply = async (at: Applying, event: Effective, job: Job | undefined): Promise<boolean> => {
  if (event.name === 'JobFunded') return applyFunded(at, { event, job })
  if (!job) return false
  if (event.name === 'JobSubmitted') return applySubmitted(at, { event, job })
  if (event.name === 'PaymentReleased') return applyReleased(at, { event, job })
  return applyRefunded(at, { event, job })
}

/** Offers the job to its agent only when the escrow holds the agreed amount with the agreed parties. */
const applyFunded = async (
  at: Applying,
  { event, job }: { event: Named<'JobFunded'>; job: Job | undefined },
): Promise<boolean> => {
  const { tables, chain, jobs, isReread } = at
  const onChain = jobs.get(event.chainJobId)
  if (!onChain) return false
  if (!job && !isReread) await giveBackUnknown(at, { event, onChain })
  if (!job || !isAsAgreed(job, onChain, chain)) return false
  const funded = await tables.moveJob(job.id, 'fund', { chainJobId: event.chainJobId, isReread, from: job })
  if (!funded) return false
  const booked = book(tables, job, {
    step: 'escrow',
    txHash: event.txHash,
    legs: [
      [`wallet:${job.userWallet}`, -event.amount],
      [`escrow:${job.id}`, event.amount],
    ],
  })
  // Asked at once, because a database may be far away.
  await Promise.all([
    reportEvent(at, { job, event, step: 'hire' }),
    booked,
    funded.state === 'escrowed' && tables.moveJob(job.id, 'queue', { isReread, from: funded }),
  ])
  if (funded.state !== 'escrowed' && !isReread) await goOn(tables, chain, { job: funded, status: onChain.status })
  return true
}

/**
 * Refunds an escrow that a wallet of this database funded for a job that it does not know: it was restored from a backup made
 * before that hire. Nobody else can fund one from this wallet.
 */
const giveBackUnknown = async (
  { tables, chain, keys }: Applying,
  { event: { chainJobId }, onChain }: { event: Named<'JobFunded'>; onChain: ChainJob },
) => {
  const isHeld = onChain.status === 'funded' || onChain.status === 'submitted'
  if (!isHeld || onChain.evaluator !== chain.evaluator || !(await tables.walletByAddress(onChain.client))) return
  // The intent is written with the job, and can be read where a later release wrote the job.
  if (await tables.intent(`job:${keys.get(chainJobId) ?? ''}:hire`)) return
  const key = `unknown-job:${chain.chainId}:${chainJobId}`
  const call = chain.reject(chainJobId, 'unknown to the market')
  await tables.addIntents([{ key, chainId: chain.chainId, sender: chain.evaluator, call, after: undefined }])
}

/** Once a funding is confirmed again, resumes suspended intents and replaces those that name an old on-chain job id. */
const goOn = async (tables: Tables, chain: Chain, of: { job: Job; status: ChainJob['status'] }) => {
  const { id, chainJobId } = of.job
  if (chainJobId !== undefined) await tables.resumeIntents(id, chainJobId)
  await decideEnd(tables, chain, of)
}

/** A job that this release cannot read has no effect, so that the events of the other jobs in its block have theirs. */
const jobOf = async ({ tables, chain, keys, known }: Applying, { name, chainJobId }: PlacedEvent): Promise<Job | undefined> =>
  name === 'JobFunded'
    ? (known.get(chainJobId) ?? ifReadable(() => tables.job(keys.get(chainJobId) ?? '')))
    : ifReadable(() => tables.jobOnChain(chain.chainId, chainJobId))

type Of<N extends PlacedEvent['name']> = { event: Named<N>; job: Job }

const applySubmitted = async (at: Applying, { event, job }: Of<'JobSubmitted'>): Promise<boolean> => {
  await reportEvent(at, { job, event, step: 'submit' })
  return true
}

type AppliedEvent = { job: Job; event: PlacedEvent; step: string }

const reportEvent = ({ tables }: Applying, { job, event, step }: AppliedEvent) =>
  reportTransaction(tables, job, { step, hash: event.txHash, blockNumber: event.blockNumber, success: true })

const isAsAgreed = (job: Job, onChain: ChainJob, chain: Chain) =>
  onChain.client === job.userWallet &&
  onChain.provider === job.agentWallet &&
  onChain.evaluator === chain.evaluator &&
  onChain.budget === job.budget

const applyReleased = async (at: Applying, { event, job }: Of<'PaymentReleased'>): Promise<boolean> => {
  const { tables, chain, unused, isReread } = at
  const returned = unused.get(keyOfPayment(event)) ?? 0n
  if (job.terms.usage) checkUsage(chain, { budget: job.budget, returned, paid: event.amount })
  const patch = job.terms.usage && { returned, fee: job.budget - event.amount }
  if (!(await tables.moveJob(job.id, 'confirm', { isReread, from: job, ...patch }))) return false
  const used = job.budget - returned
  const fee = used - event.amount
  const legs: Booking['legs'] = [
    [`escrow:${job.id}`, -used],
    [`wallet:${job.agentWallet}`, event.amount],
  ]
  if (fee > 0n) legs.push([`treasury:${chain.treasury}`, fee])
  const amount = formatUsdc(event.amount, chain.usdcDecimals)
  const parts = job.terms.usage && {
    used: formatUsdc(used, chain.usdcDecimals),
    returned: formatUsdc(returned, chain.usdcDecimals),
  }
  await Promise.all([
    reportEvent(at, { job, event, step: 'complete' }),
    used > 0n ? book(tables, job, { step: 'payout', txHash: event.txHash, legs }) : undefined,
    returned > 0n ? bookReturn(at, { job, event, returned }) : undefined,
    tables.addRunEvent(job.runId, {
      kind: 'payment.settled',
      summary: toPaidOutText(amount, job.agentWallet, parts),
      data: { job_id: job.id, amount, currency: 'USDC', payee: job.agentWallet, transaction: event.txHash, ...parts },
      key: `payout:${job.id}`,
    }),
  ])
  return true
}

/**
 * Refuses a payment of a usage price whose parts do not add up, because the node left out a log.
 * @throws Problem chain-unavailable, so that the block is read again
 */
const checkUsage = ({ feeBps }: Chain, { budget, returned, paid }: Record<'budget' | 'returned' | 'paid', Atomic>) => {
  const used = budget - returned
  if (used - (used * BigInt(feeBps)) / allBps !== paid)
    throw new Problem('chain-unavailable', 'The logs of a payment are incomplete.')
}

type Returning = { job: Job; event: Named<'PaymentReleased'>; returned: Atomic }

/** Books the unused part of a usage price, which came back with the payment. */
const bookReturn = ({ tables }: Applying, { job, event, returned }: Returning) =>
  book(tables, job, {
    step: 'unused',
    txHash: event.txHash,
    legs: [
      [`escrow:${job.id}`, -returned],
      [`wallet:${job.userWallet}`, returned],
    ],
  })

/** The escrow refunded the client, by our evaluator or by anyone after expiry. The job follows. */
const applyRefunded = async (at: Applying, { event, job }: Of<'Refunded'>): Promise<boolean> => {
  const { tables, isReread } = at
  const reason = toRefundReason(job)
  const direct = await tables.moveJob(job.id, 'refund', { reason, isReread, from: job })
  const refunded =
    direct ??
    ((await tables.moveJob(job.id, 'expire', { reason, isReread })) && (await tables.moveJob(job.id, 'refund', { isReread })))
  if (!refunded) return false
  await reportEvent(at, { job, event, step: 'refund' })
  await book(tables, job, {
    step: 'refund',
    txHash: event.txHash,
    legs: [
      [`escrow:${job.id}`, -event.amount],
      [`wallet:${job.userWallet}`, event.amount],
    ],
  })
  return true
}
