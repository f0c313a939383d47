import { z } from 'zod'
import { next } from '../../../src/domain/job.ts'
import { toDigest } from '../../../src/domain/proposal.ts'
import type { Job, Store, Tables } from '../../../src/ports.ts'
import { fromRaw, toSigned } from './chain/transactions.ts'
import type { Hands, Mutation, Parts, Sent } from './mutation.ts'

/** The store with other tables, outside of transactions and inside. */
const withTables = (store: Store, change: (tables: Tables) => Partial<Tables>): Store => ({
  ...store,
  ...change(store),
  atomically: work => store.atomically(tables => work({ ...tables, ...change(tables) })),
})

const answering = z.object({ run_id: z.string(), digest: z.string() }).loose()

/** What a confirmation is changed to on its way. */
const confirming =
  (
    change: (sent: Sent, run: { digest: string | undefined; user: Sent['caller']['wallet'] }) => Sent,
  ): NonNullable<Mutation['request']> =>
  async (sent, { store }) => {
    if (sent.name !== 'confirmHire') return sent
    const run = await store.run(answering.parse(sent.input).run_id)
    return run ? change(sent, { digest: run.proposal?.digest, user: run.user }) : sent
  }

const sending: Mutation[] = [
  {
    name: 'sent before it is written down',
    without: 'write-ahead',
    parts: ({ store, chain }) => ({
      store,
      chain: {
        ...chain,
        async sign(...of) {
          const signed = await chain.sign(...of)
          await chain.broadcast(signed.raw)
          return signed
        },
      },
    }),
  },
  {
    name: 'a new nonce for every retry',
    without: 'the same bytes again',
    parts({ store, chain }) {
      const sent = new Set<string>()
      const broadcast: typeof chain.broadcast = async raw => {
        if (!sent.has(raw)) return void (await chain.broadcast(raw).finally(() => sent.add(raw)))
        const { sender, call, nonce } = fromRaw(raw)
        await chain.broadcast(toSigned({ sender, call, nonce: nonce + 1 }).raw)
      }
      return { store, chain: { ...chain, broadcast } }
    },
  },
  {
    name: 'no answer is a failure',
    without: 'unknown as a state',
    parts: ({ store, chain }) => ({
      store,
      chain: {
        ...chain,
        async broadcast(raw) {
          const intent = await store.intentByHash(chain.chainId, fromRaw(raw).hash)
          await chain.broadcast(raw).catch(async () => {
            const [, id = '', step] = intent?.key.split(':') ?? []
            if (step === 'hire') await store.moveJob(id, 'cancel', { reason: 'no answer' })
          })
        },
      },
    }),
  },
  {
    name: 'gas money whenever it is asked for',
    without: 'one filling a transaction count',
    parts: ({ store, chain }, { random }) => ({
      chain,
      store: {
        ...store,
        addIntents: intents =>
          store.addIntents(intents.map(it => (it.key.startsWith('gas:') ? { ...it, key: `${it.key}:${random.hex(8)}` } : it))),
      },
    }),
  },
]

const watching: Mutation[] = [
  {
    name: 'an event counts each time it comes',
    without: 'moves and postings that are taken once',
    parts: ({ store, chain }, { random }) => ({
      chain,
      store: withTables(store, tables => ({
        async moveJob(id, event, patch) {
          const moved = await tables.moveJob(id, event, patch)
          return moved ?? (event === 'fund' || event === 'confirm' || event === 'refund' ? tables.job(id) : undefined)
        },
        post: posting => tables.post({ ...posting, key: `${posting.key}:${random.hex(8)}` }),
      })),
    }),
  },
  {
    name: 'the cursor moves before the events are taken',
    without: 'cursor and events in one write',
    parts: ({ store, chain }) => ({
      store,
      chain: {
        ...chain,
        async events(from, to) {
          const hash = await chain.blockHash(to)
          if (hash) await store.setCursor(chain.chainId, { number: to, hash })
          return chain.events(from, to)
        },
      },
    }),
  },
  {
    name: 'whoever names our job has funded it',
    without: 'the look at what the contract holds',
    parts: ({ store, chain }, { keyOf }) => ({
      store,
      chain: {
        ...chain,
        async job(id) {
          const onChain = await chain.job(id)
          const ours = await store.job(keyOf(id) ?? '')
          return ours ? { ...onChain, client: ours.userWallet, provider: ours.agentWallet, budget: ours.budget } : onChain
        },
      },
    }),
  },
]

const moveUnconditionally = async (
  { store }: Parts,
  { db }: Hands,
  { before, event, patch }: { before: Job; event: Parameters<Tables['moveJob']>[1]; patch: Parameters<Tables['moveJob']>[2] },
) => {
  const to = next(before.state, event)
  if (!to) return undefined
  const set = 'update job set state = $2, deliverable = coalesce($3, deliverable), lease_until = null where id = $1'
  await db.tx(sql => sql(set, [before.id, to, patch?.deliverable]))
  const data = { job_id: before.id, from: before.state, event, to, attempt: before.attempt }
  await store.addRunEvent(before.runId, { kind: `job.${to}`, summary: to, data })
  await store.wakeRun(before.runId)
  return store.job(before.id)
}

const moving: Mutation[] = [
  {
    name: 'a job is read, then moved',
    without: 'the condition in the write',
    parts: (parts, hands) => ({
      ...parts,
      store: {
        ...parts.store,
        async moveJob(id, event, patch) {
          const before = await parts.store.job(id)
          if (!before || (event === 'submit' && before.attempt === 0)) return undefined
          if (hands.random.chance(0.3)) await hands.pause()
          return moveUnconditionally(parts, hands, { before, event, patch })
        },
      },
    }),
  },
  {
    name: 'a deliverable is taken at any time',
    without: 'the state in the condition of submit',
    parts: ({ store, chain }, { db }) => ({
      chain,
      store: {
        ...store,
        async moveJob(id, event, patch) {
          const moved = await store.moveJob(id, event, patch)
          if (moved || event !== 'submit') return moved
          await db.tx(sql => sql('update job set deliverable = $2 where id = $1', [id, patch?.deliverable]))
          return store.job(id)
        },
      },
    }),
  },
  {
    name: 'a job is given to whoever asks',
    without: 'the lease',
    parts: ({ store, chain }, { db }) => ({
      chain,
      store: {
        ...store,
        async leaseJob(agentId) {
          const leased = await store.leaseJob(agentId)
          if (leased) return leased
          const [out] = await db.sql(`select id from job where agent_id = $1 and state = 'leased' limit 1`, [agentId])
          return out ? store.job(String(out.id)) : undefined
        },
      },
    }),
  },
  {
    name: 'a dead worker keeps its run',
    without: 'holds that lapse',
    parts: ({ store, chain }, { db }) => ({
      chain,
      store: {
        ...store,
        async claimRuns(leaseMs, limit) {
          const held = await db.sql('select id from run where held_until is not null')
          const claimed = await store.claimRuns(leaseMs, limit)
          return claimed.filter(it => !held.some(row => row.id === it.run.id))
        },
      },
    }),
  },
  {
    name: 'a thawed worker goes on writing',
    without: 'the hold in front of each checkpoint',
    advance: butler => ({ advance: run => butler.advance(run) }),
  },
  {
    name: 'an index entry is done before it is written',
    without: 'done after the work',
    parts: ({ store, chain }) => ({
      chain,
      store: {
        ...store,
        async claimOutbox(topic, leaseMs, limit) {
          const rows = await store.claimOutbox(topic, leaseMs, limit)
          await store.doneOutbox(
            topic,
            rows.map(it => it.key),
          )
          return rows
        },
      },
    }),
  },
  {
    name: 'the log is told what it knows',
    without: 'the key of an event',
    parts: ({ store, chain }) => ({
      chain,
      store: withTables(store, tables => ({ addRunEvent: (id, { key: _key, ...event }) => tables.addRunEvent(id, event) })),
    }),
  },
]

const agreeing: Mutation[] = [
  {
    name: 'a yes counts for whatever is proposed now',
    without: 'the digest',
    request: confirming((sent, { digest }) => (digest ? { ...sent, input: { ...answering.parse(sent.input), digest } } : sent)),
  },
  { name: 'a yes counts for ever', without: 'the lapse of a proposal', deps: deps => ({ ...deps, clock: { now: () => 0 } }) },
  {
    name: 'a yes of anybody counts',
    without: 'the look whose run it is',
    request: confirming((sent, { user }) => ({ ...sent, caller: { ...sent.caller, wallet: user } })),
  },
  {
    name: 'a request that comes again is new',
    without: 'the idempotency key',
    request: async sent => ({ ...sent, caller: { ...sent.caller, idempotencyKey: undefined } }),
  },
  {
    name: 'what is hired is what is offered now',
    without: 'the version in the terms',
    butler: (deps, { store }) => ({
      ...deps,
      async openJob(runId, proposal) {
        const listing = await store.listing(proposal.agentId, proposal.offeringId)
        if (!listing) return deps.openJob(runId, proposal)
        const now = { ...proposal, offeringVersion: listing.version, price: listing.price, total: listing.price }
        return deps.openJob(runId, { ...now, digest: toDigest(now) })
      },
    }),
  },
]

const paying: Mutation[] = [
  {
    name: 'a payout and a refund',
    without: 'one end of a job',
    butler: (deps, { store, chain }) => ({
      ...deps,
      async acceptDeliverable(jobId) {
        await deps.acceptDeliverable(jobId)
        const job = await store.job(jobId)
        if (job?.chainJobId === undefined) return
        const call = chain.reject(job.chainJobId, 'too')
        await store.addIntents([
          { key: `job:${jobId}:refund`, chainId: job.chainId, sender: chain.evaluator, call, after: undefined },
        ])
      },
    }),
  },
  {
    name: 'a node that runs again hires again',
    without: 'one job a run',
    butler: (deps, { store, chain }) => ({
      ...deps,
      async openJob(runId, proposal) {
        const before = await store.jobOfRun(runId)
        const opened = await deps.openJob(runId, proposal)
        if (!before || before.budget === 0n) return opened
        const { id: jobId, userWallet: client, agentWallet: provider, budget, chainId, deadlines } = before
        const call = await chain.hire({ jobId, client, provider, budget, expiresAt: deadlines.expiresAt + 1_000 })
        await store.addIntents([{ key: `job:${jobId}:hire:again`, chainId, sender: client, call, after: undefined }])
        return opened
      },
    }),
  },
  {
    name: 'any deliverable is paid',
    without: 'the check of the deliverable',
    butler: deps => ({
      ...deps,
      async readJob(jobId) {
        const job = await deps.readJob(jobId)
        return job && { ...job, offering: { ...job.offering, deliverable: {} } }
      },
    }),
  },
]

/** Bugs that are put in on purpose: each takes one safeguard away, and the checks have to notice. */
export const planted: readonly Mutation[] = [...sending, ...watching, ...moving, ...agreeing, ...paying]
