import { createButler } from '../../../graphs/butler/advance.ts'
import { toButlerDeps } from '../../../src/butlerDeps.ts'
import { tokenTables } from '../../../src/features/tokens/ports.ts'
import { watchTokens } from '../../../src/features/tokens/watchTokens.ts'
import { followIfLeased } from '../../../src/features/x402Buying/payPurchases.ts'
import { purchasesOf } from '../../../src/features/x402Buying/ports.ts'
import { paidCallsOf } from '../../../src/features/x402Selling/ports.ts'
import { createFacilitator, settleOne } from '../../../src/features/x402Selling/settleDeferred.ts'
import { createRules } from '../../../src/language/reader/rules.ts'
import { rebuildChain } from '../../../src/operations/ledger/rebuildChain.ts'
import type { Deps } from '../../../src/operations/operation.ts'
import { withAdvances } from '../../../src/operations/runs/awaitRun.ts'
import { createTurns } from '../../../src/operations/turns.ts'
import type { Chain, Ids, ResourceClient, Search, Store, Wallets } from '../../../src/ports.ts'
import { createRunCheckpointer } from '../../../src/store/runs/checkpointer.ts'
import { openStore } from '../../../src/store/store.ts'
import { advanceRuns } from '../../../src/workers/advanceRuns.ts'
import { claimRefunds } from '../../../src/workers/claimRefunds.ts'
import { endJobs } from '../../../src/workers/endJobs.ts'
import { expireJobs } from '../../../src/workers/expireJobs.ts'
import { giveFeedback } from '../../../src/workers/giveFeedback.ts'
import { lapseLeases } from '../../../src/workers/lapseLeases.ts'
import { learnRequests } from '../../../src/workers/learnRequests.ts'
import type { Worker } from '../../../src/workers/loop.ts'
import { reconcileChain } from '../../../src/workers/reconcileChain.ts'
import { refreshWork } from '../../../src/workers/refreshWork.ts'
import { rebuildIndex, reindexOfferings } from '../../../src/workers/reindexOfferings.ts'
import { sendTransactions } from '../../../src/workers/sendTransactions.ts'
import { watchChain } from '../../../src/workers/watchChain.ts'
import { advances, followers, tables } from '../../assembled.ts'
import { readerDir } from '../../reader.ts'
import { createDeps } from '../../world/deps.ts'
import { abandonJobs } from './abandoned.ts'
import { facilitatorUrl } from './actors/facilitator.ts'
import { createRpc } from './chain/node.ts'
import { usesOn } from './chain/payments.ts'
import { addressOf, simulatedChainId } from './chain/places.ts'
import { createChainPort } from './chain/port.ts'
import type { Statement } from './falsified.ts'
import type { Ground } from './ground.ts'
import { guard, guardStore } from './guard.ts'
import { type Life, startLife } from './life.ts'
import type { Hands } from './mutation.ts'
import { createTalker } from './talker.ts'
import { currentTask } from './tasks.ts'

type Money =
  | 'pay'
  | 'advance'
  | 'facilitate'
  | 'send'
  | 'watch'
  | 'tokens'
  | 'reconcile'
  | 'lapse'
  | 'expire'
  | 'end'
  | 'claim'
  | 'rate'
export type WorkerName = Money | 'reindex' | 'learn' | 'refresh'

/** The service in one simulated process: its operations and its workers, on the shared database. */
export type Process = {
  life: Life
  deps: Deps
  /** The worker of this process, or a second instance while it is busy, as on a second host. */
  borrowWorker(name: WorkerName): { worker: Worker; giveBack(): void }
  /** The work of a start before the service serves. */
  rebuild(): Promise<unknown>
  /** Deletes the newest checkpoint of a thread. */
  loseCheckpoint(thread: string): Promise<unknown>
  /** Adds many overdue jobs, as copies of a job, on a chain that is no longer served. */
  abandonJobs(jobId: string): Promise<unknown>
  /** Changes the database behind the back of the service. */
  falsify(statements: Statement[]): Promise<unknown>
  /** Deletes everything derived from the chain and reads it again. */
  rebuildChain(): Promise<void>
  /** Closes the database. Later calls never resolve. */
  close(): Promise<void>
}

const publicUrl = 'http://simulated'

/** One reader for all processes, trained before simulated time begins, because training takes real time. */
const rules = createRules({ dir: readerDir })
await rules.read({ text: 'yes', situation: { stage: 'none', hasJob: false, hasEnded: false } })

export const startProcess = async (ground: Ground): Promise<Process> => {
  const life = startLife(ground.time)
  const wakeups = ground.time.createWakeups()
  const opened = await openStore({ file: ground.file, tables, clock: ground.time.clock, wakeups })
  const at = { ground, life }
  const keyOf = (id: bigint) => ground.chain.state.jobs.get(id)?.jobKey
  const usesOf: Hands['usesOf'] = ({ from, nonce }) =>
    usesOn(ground.chain).filter(it => it.from === from && BigInt(it.nonce) === BigInt(nonce))
  const hands: Hands = { db: opened.db, random: ground.random, pause: pauseOf(life), keyOf, usesOf }
  const store = guardStore(opened, at)
  const rpc = guard(createRpc(ground.chain), 'node', at)
  const toSign = { ...store, tradeOrder: tokenTables(store).tradeOrder }
  const port = createChainPort(ground.chain, { terms: ground.terms, store: toSign, rpc })
  const authorized = port.authorized && guard(port.authorized, 'chain', at)
  const permitted = port.permitted && guard(port.permitted, 'chain', at)
  const launchpad = guard(port.launchpad, 'chain', at)
  const guarded = {
    store,
    chain: guard({ ...port, launchpad, ...(authorized && { authorized }), ...(permitted && { permitted }) }, 'chain', at),
  }
  const { seller, facilitator } = ground
  const ask: ResourceClient['ask'] = (...of) =>
    facilitator && of[0].url.startsWith(facilitatorUrl) ? facilitator.ask(...of) : seller.ask(...of)
  const resources = guard<ResourceClient>({ ask, buy: seller.buy }, 'resources', at)
  const facilitators = new Map(facilitator ? [[simulatedChainId, facilitatorUrl]] : [])
  const parts = ground.mutation?.parts?.(guarded, hands) ?? guarded
  const search = guard<Search>(ground.search, 'search', at)
  const ids: Ids = { fresh: prefix => `${prefix}_${ground.random.hex(32)}` }
  const honest = createDeps({
    ...parts,
    search,
    wakeups,
    clock: ground.time.clock,
    ids,
    wallets: createWallets(parts.store, ids),
    resources: { ...resources, turns: createTurns({ atOnce: 4, waiting: 50 }) },
    settings: { publicUrl, local: false, allowsPrivate: false, facilitators },
  })
  const deps = ground.mutation?.deps?.(honest) ?? honest
  const toAsk = toButlerDeps(honest, {
    model: guard(
      createTalker(rules, it => ground.prompts.push(JSON.stringify(it))),
      'model',
      at,
    ),
    rules,
  })
  const butlerDeps = ground.mutation?.butler?.(toAsk, parts, hands) ?? toAsk
  const whole = createButler(butlerDeps, createRunCheckpointer(guard(opened.db, 'checkpoints', at)))
  const butler = withAdvances(ground.mutation?.advance?.(whole) ?? whole, advances, honest)
  const onError = (worker: string, error: unknown) => {
    if (!life.isOver) ground.errors.push({ task: currentTask(), text: `${worker}: ${String(error)}` })
  }
  const workers: Record<WorkerName, () => Worker> = {
    pay: () => payDue(honest),
    advance: () => advanceRuns({ store: parts.store, butler, wakeups, onError }),
    facilitate: () => facilitateDue(honest, parts.chain),
    send: () => sendTransactions({ ...parts, followers }),
    watch: () => watchChain({ ...parts, followers }),
    tokens: () => watchTokens({ ...parts, launchpad: parts.chain.launchpad ?? launchpad }),
    reconcile: () => reconcileChain({ ...parts, followers }),
    lapse: () => lapseLeases(parts),
    expire: () => expireJobs(honest, parts.chain.chainId),
    end: () => endJobs(honest, parts.chain.chainId),
    claim: () => claimRefunds(honest, parts.chain),
    rate: () => giveFeedback({ ...parts, followers, ids: honest.ids, publicUrl }),
    reindex: () => reindexOfferings({ store: parts.store, search }),
    learn: () => learnRequests(parts),
    refresh: () => refreshWork({ work: deps.work }),
  }
  return {
    life,
    deps,
    borrowWorker: createPool(workers),
    rebuild: () => rebuildIndex({ store: parts.store, search }),
    loseCheckpoint: thread =>
      opened.db.tx(async sql => {
        const [newest] = await sql('select id from checkpoint where thread_id = $1 order by id desc limit 1', [thread])
        const id = String(newest?.id)
        await sql('delete from checkpoint_write where thread_id = $1 and checkpoint_id = $2', [thread, id])
        await sql('delete from checkpoint where thread_id = $1 and id = $2', [thread, id])
      }),
    abandonJobs: jobId => opened.db.tx(sql => abandonJobs(sql, jobId)),
    falsify: statements =>
      opened.db.tx(async sql => {
        for (const [statement, params] of statements) await sql(statement, params)
      }),
    async rebuildChain() {
      await rebuildChain({ ...parts, followers })
      const { runOnce } = watchTokens({ ...parts, launchpad })
      while (await runOnce());
    },
    async close() {
      life.end('stopped')
      wakeups.forget()
      await opened.close()
    },
  }
}

/** Checks every due purchase. It replaces the service's worker, which aborts its requests when it stops. */
const payDue = (deps: Deps): Worker => ({
  name: 'payPurchases',
  channel: 'purchases',
  idleMs: 250,
  async runOnce() {
    for (const it of await purchasesOf(deps.store).duePurchases(10)) await followIfLeased(deps, it, new AbortController().signal)
    return false
  },
})

/** The same for the settlements that are left to the facilitator. */
const facilitateDue = (deps: Deps, chain: Chain): Worker => {
  const facilitator = createFacilitator()
  return {
    name: 'settleDeferred',
    channel: 'facilitators',
    idleMs: 250,
    async runOnce() {
      for (const it of await paidCallsOf(deps.store).deferredSettlements(chain.chainId, 10))
        await settleOne({ deps, chain, facilitator }, it, new AbortController().signal)
      return false
    },
  }
}

const createPool = (workers: Record<WorkerName, () => Worker>) => {
  const idle = new Map<WorkerName, Worker[]>()
  return (name: WorkerName) => {
    const free = idle.get(name) ?? []
    idle.set(name, free)
    const worker = free.pop() ?? workers[name]()
    return { worker, giveBack: () => void free.push(worker) }
  }
}

const pauseOf = (life: Life) => async () => {
  const task = currentTask()
  if (task) await life.park(task, 0)
}

/** Custodial wallets without keys: the modelled chain does not check signatures. */
const createWallets = (store: Pick<Store, 'wallet' | 'addWallet'>, ids: Ids): Wallets => ({
  async ensure(role, owner) {
    const known = await store.wallet(role, owner)
    if (known) return known.address
    const address = addressOf(ids.fresh('wallet'))
    return (await store.addWallet({ address, role, owner, sealedKey: 'sealed' })).address
  },
})
