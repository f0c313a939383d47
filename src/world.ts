import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createButler, type KeepSteps } from '../graphs/butler/advance.ts'
import { toButlerDeps } from './butlerDeps.ts'
import { createKmsKeys } from './chain/signing/kms/keys.ts'
import { recoverSigner } from './chain/signing/recoverSigner.ts'
import { createSealer, keyIdOfSealed, readMasterKey } from './chain/signing/secrets.ts'
import { createWallets } from './chain/signing/wallets.ts'
import type { Config } from './config.ts'
import { defaultChainId } from './domain/chains.ts'
import { minuteMs } from './domain/durations.ts'
import { limits } from './domain/limits.ts'
import { createIdentity } from './identity/identity.ts'
import { createEmbeddings } from './llm/embeddings.ts'
import { createModel } from './llm/model.ts'
import { createDialer, createResourceClient } from './net/dialer.ts'
import { createGateway } from './operations/gateway/createGateway.ts'
import { rebuildChain } from './operations/ledger/rebuildChain.ts'
import type { Deps } from './operations/operation.ts'
import { withPaidCalls } from './operations/paidCalls/advancePaidCall.ts'
import { createTurns } from './operations/turns.ts'
import { createWorkIndex } from './operations/workIndex.ts'
import type { Butler, Chain, Clock, Elections, Store } from './ports.ts'
import { ensurePrivateFolder } from './process/folder.ts'
import { randomIds, systemClock } from './process/system.ts'
import { createWakeups } from './process/wakeups.ts'
import { openSearch } from './search/search.ts'
import { openChains, type Served, type ServedChains } from './servedChains.ts'
import { anySealed } from './store/access/sealed.ts'
import { openElections, openSoleElections } from './store/engine/elections.ts'
import { createRunCheckpointer } from './store/runs/checkpointer.ts'
import { openStore } from './store/store.ts'
import { advanceRuns } from './workers/advanceRuns.ts'
import { callAgents } from './workers/callAgents.ts'
import { claimRefunds } from './workers/claimRefunds.ts'
import { endJobs } from './workers/endJobs.ts'
import { expireJobs } from './workers/expireJobs.ts'
import { giveFeedback } from './workers/giveFeedback.ts'
import { lapseLeases } from './workers/lapseLeases.ts'
import { learnRequests } from './workers/learnRequests.ts'
import { loop, type Worker } from './workers/loop.ts'
import { payPurchases } from './workers/payPurchases.ts'
import { pushJobs } from './workers/pushJobs.ts'
import { reconcileChain } from './workers/reconcileChain.ts'
import { refreshWork } from './workers/refreshWork.ts'
import { rebuildIndex, reindexOfferings } from './workers/reindexOfferings.ts'
import { sendTransactions, takeSenders } from './workers/sendTransactions.ts'
import { sweepRecords } from './workers/sweepRecords.ts'
import { sweepTasks } from './workers/sweepTasks.ts'
import { watchChain } from './workers/watchChain.ts'
import { watchTokens } from './workers/watchTokens.ts'

export type World = { deps: Deps; stop(): Promise<void> }

/** The two ports that move money, which fault tests can wrap. */
export type Outside = { store: Store; chain: Chain }

type WorldOptions = {
  config: Config
  publicUrl: string
  onError(worker: string, error: unknown): void
  /** Called after each step of a worker, with its duration in ms. */
  onStep?(worker: string, ms: number): void
  clock?: Clock
  /** Wraps the ports in fault tests; unset in production. */
  wrap?: (outside: Outside) => Outside
}

/** Builds all parts of one process and starts its workers. stop() ends them in reverse order. */
export const createWorld = async (options: WorldOptions): Promise<World> => {
  const opened: Closer[] = []
  const stop = async () => {
    for (let close = opened.pop(); close; close = opened.pop()) await close()
  }
  try {
    return { deps: await build(options, close => opened.push(close)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Closer = () => Promise<unknown>

const nothingSaid = { text: '', situation: { stage: 'none' as const, hasJob: false, hasEnded: false }, proposed: '' }

const build = async (
  { config, publicUrl, onError, onStep, clock = systemClock, wrap = it => it }: WorldOptions,
  whenStopping: (close: Closer) => void,
): Promise<Deps> => {
  await ensurePrivateFolder(config.dataDir)
  const wakeups = createWakeups()
  const place = config.databaseUrl ? { url: config.databaseUrl } : { file: join(config.dataDir, 'market.db') }
  // The process id lets an operator find the process of a session.
  const name = `market ${process.pid} ${randomUUID()}`
  const opened = await openStore({ ...place, clock, wakeups, name })
  whenStopping(opened.close)
  const sealed = await anySealed(opened.db)
  const keyFile = join(config.dataDir, 'master.key')
  const sealedWith = sealed && keyIdOfSealed(sealed)
  const sealer = createSealer(await readMasterKey({ hex: config.masterKey, file: keyFile, sealedWith }))
  const kms = config.kms && createKmsKeys(config.kms)
  const wallets = createWallets({ store: opened, sealer, kms })
  const onMined = () => {
    wakeups.notify('intents')
    wakeups.notify('blocks')
  }
  const served = await openChains({ config, store: opened, wallets, onMined })
  whenStopping(served.stop)
  const { store, admitted } = await admitWrapped({ served, store: opened, wrap })
  const embeddings = config.embeddings && createEmbeddings(config.embeddings)
  const search = await openSearch({ dir: join(config.dataDir, 'search'), clock, embeddings })
  whenStopping(search.close)
  const { identity, access } = await createIdentity({
    ...{ store, sealer, clock, wakeups, ids: randomIds, publicUrl, chainId: defaultChainId },
    ...config.tokens,
  })
  const { model, rules } = createModel(config.model, { dir: config.readerDir })
  // Trains the classifier now, so that it is ready for the first message.
  void rules.read(nothingSaid).catch((error: unknown) => onError('reader', error))
  const work = createWorkIndex(store, wakeups)
  const { local, faucet, allowsPrivate } = config
  const settings = { publicUrl, local, faucet, allowsPrivate, model: model.id }
  const gateway = createGateway({
    ...{ store, wakeups, clock, dialer: createDialer({ allowsPrivate }) },
    ...(config.rateLimit === 0 && { pollsPerSecond: Number.POSITIVE_INFINITY }),
  })
  const chains = new Map(admitted.map(({ chain }) => [chain.chainId, chain]))
  const ports = { store, chains, refusedChains: served.refused, wallets, recoverSigner, search }
  const registrations = createTurns({ atOnce: limits.registrationsAtOnce, waiting: limits.registrationsWaiting })
  const turns = createTurns({ atOnce: limits.quotesAtOnce, waiting: limits.quotesWaiting })
  const resources = { ...createResourceClient({ allowsPrivate }), turns }
  const deps: Deps = {
    ...ports,
    resources,
    identity,
    access,
    work,
    gateway,
    registrations,
    wakeups,
    clock,
    ids: randomIds,
    settings,
  }
  const keepSteps: KeepSteps = (...of) => store.addRunSteps(...of).catch((error: unknown) => onError('history', error))
  const butler = withPaidCalls(
    deps,
    createButler(
      toButlerDeps(deps, { model, rules, modelMs: config.modelMs }),
      createRunCheckpointer(opened.db),
      config.runHistory ? keepSteps : undefined,
    ),
  )

  if (config.rebuild)
    for (const { chain, blockTimeMs } of admitted) await rebuildChain({ store, chain }, { isWhole: blockTimeMs === 0 })
  await rebuildIndex({ store, search })
  const { databaseUrl: url, role } = config
  const unelected = { onError: (error: unknown) => onError('elections', error) }
  const elections = url ? openElections({ url, name, ...unelected }) : openSoleElections(unelected)
  const pool = createWorkerPool({ wakeups, onError, ...(onStep && { onStep }) })
  whenStopping(() => Promise.all([elections.close(), pool.stop()]))
  const wrapChain = (chain: Chain) => wrap({ store, chain }).chain
  setToWork({ deps, chains, butler, served, admitted, wrapChain, onError, elections, role }, pool)
  return deps
}

type Work = Pick<WorldOptions, 'onError'> & {
  deps: Deps
  chains: Map<number, Chain>
  butler: Butler
  served: ServedChains
  admitted: Served[]
  wrapChain(chain: Chain): Chain
  elections: Elections
  role: Config['role']
}

/**
 * Starts the workers of a process. Every process keeps its own index and lists. The rest is claimed row by row by any process
 * that works, and the work of a chain is done by its leader. A chain may be admitted later.
 */
const setToWork = (work: Work, { start, runUntil }: WorkerPool): void => {
  const { deps, chains, served, admitted, wrapChain, elections, role } = work
  const { store, search } = deps
  const serve = (it: Served) => {
    chains.set(it.chain.chainId, it.chain)
    if (role === 'web') return
    elections.lead(it.chain.chainId, async signal => {
      await takeSenders({ store, chain: it.chain })
      await runUntil(signal, ...workersOfChain(deps, chains, it))
    })
  }
  admitted.forEach(serve)
  start(
    reindexOfferings({ store, search }),
    refreshWork({ work: deps.work }),
    refreshWork({ work: deps.gateway.tasks }),
    admitLater({ served, wrap: wrapChain, serve }),
  )
  if (role !== 'web') start(...sharedWorkers(work))
}

/** The workers of a chain's leader. */
const workersOfChain = (deps: Deps, chains: Map<number, Chain>, { chain, blockTimeMs }: Served): Worker[] => {
  const { store, clock } = deps
  return [
    slowTo(blockTimeMs, sendTransactions({ store, chain })),
    slowTo(blockTimeMs, watchChain({ store, chain })),
    ...(chain.launchpad ? [slowTo(blockTimeMs, watchTokens({ store, chain, launchpad: chain.launchpad }))] : []),
    giveFeedback({ store, chain, publicUrl: deps.settings.publicUrl }),
    reconcileChain({ store, chain }),
    expireJobs({ store, chains }, chain.chainId),
    endJobs({ store, chains, clock }, chain.chainId),
    claimRefunds({ store, clock }, chain),
  ]
}

/** The workers that several processes may run at once. */
const sharedWorkers = ({ deps, butler, onError }: Work): Worker[] => {
  const { store, wakeups } = deps
  return [
    advanceRuns({ store, butler, wakeups, onError }),
    lapseLeases({ store }),
    learnRequests({ store }),
    pushJobs({ ...deps, onError }),
    callAgents({ ...deps, onError }),
    payPurchases({ ...deps, onError }),
    sweepTasks({ store }),
    sweepRecords({ store }),
  ]
}

/** The running workers of one process. stop() lets each finish its step. */
const createWorkerPool = (deps: Pick<Deps, 'wakeups'> & Pick<WorldOptions, 'onError' | 'onStep'>) => {
  const ending = new AbortController()
  const running: Promise<void>[] = []
  const runUntil = async (signal: AbortSignal, ...workers: Worker[]) =>
    void (await Promise.all(workers.map(worker => loop(worker, deps, signal))))
  return {
    runUntil,
    start: (...workers: Worker[]) => void running.push(runUntil(ending.signal, ...workers)),
    stop: () => {
      ending.abort()
      return Promise.all(running)
    },
  }
}
type WorkerPool = ReturnType<typeof createWorkerPool>

/** Polling a chain more than twice per block finds nothing new. */
const slowTo = (blockTimeMs: number, worker: Worker): Worker => ({
  ...worker,
  idleMs: Math.max(worker.idleMs, blockTimeMs / 2),
})

type Admission = { served: ServedChains; store: Store; wrap: (outside: Outside) => Outside }

/** Opens the store and the chains that can be served now, and wraps them. */
const admitWrapped = async ({ served, store, wrap }: Admission) => {
  let wrapped = store
  const admitted = (await served.admit()).map(it => {
    const outside = wrap({ store: wrapped, chain: it.chain })
    wrapped = outside.store
    return { ...it, chain: outside.chain }
  })
  return { store: wrapped, admitted }
}

/** Interval in ms at which refused chains are probed again. */
const admitAgainMs = minuteMs

const admitLater = (of: { served: ServedChains; wrap: (chain: Chain) => Chain; serve: (it: Served) => void }): Worker => ({
  name: 'admitChains',
  channel: 'chains',
  idleMs: admitAgainMs,
  async runOnce() {
    for (const it of await of.served.admit()) of.serve({ ...it, chain: of.wrap(it.chain) })
    return false
  },
})
