import { join } from 'node:path'
import { createButler, type KeepSteps } from '../graphs/butler/advance.ts'
import { assemble } from './assemble.ts'
import { createWorkerPool, startWorkers } from './background.ts'
import { toButlerDeps } from './butlerDeps.ts'
import { isMistyped } from './chain/rpc/checksum.ts'
import { recoverSigner } from './chain/signing/recoverSigner.ts'
import { BroadcastRefused } from './domain/chains/broadcast.ts'
import { defaultChainId } from './domain/chains/chains.ts'
import { limits } from './domain/limits.ts'
import { createDiskPlace } from './files/diskPlace.ts'
import { createS3Place } from './files/s3Place.ts'
import { createSigner } from './files/signer.ts'
import { createVault } from './files/vault.ts'
import { createIdentity } from './identity/identity.ts'
import { tellCalls } from './llm/counted.ts'
import { createModel } from './llm/model.ts'
import { countWaits } from './llm/waits.ts'
import { createDialer, createResourceClient } from './net/dialer.ts'
import { createMail } from './net/mail.ts'
import { createWebPush } from './net/push/webPush.ts'
import { createAlertPost } from './net/webhook.ts'
import { type OpenStore, openOutside } from './openOutside.ts'
import type { AdvanceRun } from './operations/deps.ts'
import { createGateway } from './operations/gateway/createGateway.ts'
import { rebuildChain } from './operations/ledger/rebuildChain.ts'
import type { Deps } from './operations/operation.ts'
import { createFailures, type Failures, type OperatorReach } from './operations/operator/operatorState.ts'
import { createRunFeeds } from './operations/runFeeds.ts'
import { withAdvances } from './operations/runs/awaitRun.ts'
import { createTurns } from './operations/turns.ts'
import { createUnledChains } from './operations/unledChains.ts'
import { createWorkIndex } from './operations/workIndex.ts'
import type { Butler, Chain, Elections, Sealer, Store, Wakeups } from './ports.ts'
import { ensurePrivateFolder } from './process/folder.ts'
import { logSteps } from './process/loggedParts.ts'
import { randomIds } from './process/system.ts'
import { recordNodes, traceRuns } from './process/tracedParts.ts'
import { createWakeups } from './process/wakeups.ts'
import type { ServedChains } from './servedChains.ts'
import type { Db } from './store/engine/db.ts'
import { openElections, openSoleElections } from './store/engine/elections.ts'
import { createRunCheckpointer } from './store/runs/checkpointer.ts'
import { toProcessName } from './store/store.ts'
import { rebuildIndex } from './workers/reindexOfferings.ts'
import { type Closer, type Options, type Stopping, type WorldOptions, withDefaults } from './worldOptions.ts'

export type { Outside } from './worldOptions.ts'

export type World = {
  deps: Deps
  operator: OperatorReach
  elections: Elections
  connections: Db['connections']
  stop(): Promise<void>
}

/** Builds all parts of one process and starts its workers. stop() ends them in reverse order. */
export const createWorld = async (options: WorldOptions): Promise<World> => {
  const opened: Closer[] = []
  const stop = async () => {
    for (let close = opened.pop(); close; close = opened.pop()) await close()
  }
  try {
    return { ...(await build(options, close => opened.push(close))), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

const nothingSaid = { text: '', situation: { stage: 'none' as const, hasJob: false, hasEnded: false } }

const build = async (given: WorldOptions, whenStopping: Stopping): Promise<Omit<World, 'stop'>> => {
  const options = withDefaults(given)
  const { config, publicUrl, clock, demoUser } = options
  await ensurePrivateFolder(config.dataDir)
  const wakeups = createWakeups()
  const name = toProcessName()
  const { tables, workers, advances, certificatesOf, parts } = assemble(given.features)
  const outside = await openOutside(options, { tables, wakeups, name, whenStopping })
  const { opened, sealer, wallets, served, store, admitted, search } = outside
  const kept = { store, sealer, clock, wakeups, ids: randomIds }
  const { identity, access } = await createIdentity({ ...kept, publicUrl, chainId: defaultChainId, ...config.tokens })
  const models = openModels(options)
  // A run that waits for the model gives its place back, so the worker looks for another one.
  const told = options.onModelCall ? tellCalls(models.model, options.onModelCall) : models.model
  const { model, waiting } = countWaits(told, () => wakeups.notify('runs'))
  const work = createWorkIndex(store, wakeups)
  const failures = createFailures(clock)
  const { allowsPrivate } = config
  const chains = new Map(admitted.map(({ chain }) => [chain.chainId, chain]))
  let background: ReturnType<typeof startBackground> | undefined
  const deps: Deps = {
    ...kept,
    ...parts,
    chains,
    refusedChains: served.refused,
    wallets,
    recoverSigner,
    isMistyped,
    search,
    resources: openResources(allowsPrivate),
    identity,
    access,
    mail: config.mail && createMail(config.mail),
    webPush: createWebPush({ store, sealer, clock, publicUrl, allowsPrivate }),
    work,
    gateway: openGateway(options, { store, wakeups }),
    files: await openFiles(options, { store, sealer }),
    registrations: createTurns({ atOnce: limits.registrationsAtOnce, waiting: limits.registrationsWaiting }),
    runFeeds: createRunFeeds(wakeups),
    certificatesOf: ids => certificatesOf(store, ids),
    settings: toSettings(options, models.model.id),
    failingWorkers: () => failures.list(clock.now()),
    unledChains: createUnledChains({ leaders: async () => (await background?.elections.leaders()) ?? [], clock }),
    ...(demoUser && { demoUser }),
  }
  // A worker answers no polls.
  if (config.role !== 'worker') await deps.gateway.access.preload()
  const butler = openButler(options, { deps, models: { ...models, model }, db: opened.db, advances })
  if (config.rebuild)
    for (const { chain, blockTimeMs } of admitted)
      await rebuildChain({ store, chain, followers: parts.followers }, { isWhole: blockTimeMs === 0 })
  await rebuildIndex({ store, search })
  const started = { deps, chains, butler, waiting, failures, served, admitted, opened, name, whenStopping, workers }
  background = startBackground(options, started)
  return { deps, connections: opened.db.connections, ...background }
}

const toSettings = ({ config, publicUrl }: Options, model: string): Deps['settings'] => ({
  publicUrl,
  model,
  local: config.local,
  faucet: config.faucet,
  allowsPrivate: config.allowsPrivate,
  catalogues: config.catalogues,
  mail: config.mail !== undefined,
  facilitators: new Map(config.chains.flatMap(it => (it.facilitator ? [[it.chainId, it.facilitator] as const] : []))),
})

/** The gateway, which pushes jobs through the guarded client. Without a rate limit, agents poll as often as they like. */
const openGateway = ({ config, clock }: Options, { store, wakeups }: { store: Store; wakeups: Wakeups }) =>
  createGateway({
    store,
    wakeups,
    clock,
    dialer: createDialer({ allowsPrivate: config.allowsPrivate }),
    ...(config.rateLimit === 0 && { pollsPerSecond: Number.POSITIVE_INFINITY }),
  })

/**
 * The bytes of files. A database file has one process, so what it finds unfinished at its start belongs to nobody. A bucket is
 * swept by the worker: reading its list takes long, and a store that does not answer must not keep the service from its start.
 */
const openFiles = async ({ config, clock, onError }: Options, { store, sealer }: { store: Store; sealer: Sealer }) => {
  const sign = createSigner({ store, sealer })
  const folder = join(config.dataDir, 'files')
  const folderOf = async () => (await sign('folder in the bucket')).slice(0, 16)
  const { bucket, fileBytes: mostBytes, allFilesBytes } = config
  const place = bucket ? createS3Place({ ...bucket, folderOf, draftsFolder: join(folder, 'drafts') }) : createDiskPlace(folder)
  const all = allFilesBytes === undefined ? undefined : { mostBytes: allFilesBytes, bytes: () => store.bytesOfFiles() }
  const vault = createVault({ sign, sealer, clock, mostBytes, all, place })
  const olderThanMs = config.databaseUrl ? limits.fileDraftMs : 0
  if (bucket) await place.removeDrafts(clock.now() - olderThanMs)
  else await vault.sweep({ knownOf: ids => store.knownFiles(ids), olderThanMs })
  void place.check().catch((error: unknown) => onError('files', error))
  return vault
}

/** The client for resources of strangers. Only so many are asked at once. */
const openResources = (allowsPrivate: boolean) => ({
  ...createResourceClient({ allowsPrivate }),
  turns: createTurns({ atOnce: limits.quotesAtOnce, waiting: limits.quotesWaiting }),
})

const openModels = ({ config, onError }: Options) => {
  const models = createModel(config.model, {
    dir: config.readerDir,
    timeoutMs: config.modelMs,
    firstTokenMs: config.firstTokenMs,
  })
  // Trains the classifier now, so that it is ready for the first message.
  void models.rules.read(nothingSaid).catch((error: unknown) => onError('reader', error))
  return models
}

type ButlerParts = { deps: Deps; models: ReturnType<typeof openModels>; db: OpenStore['db']; advances: readonly AdvanceRun[] }

const openButler = ({ config, onError, log, clock, record }: Options, { deps, models, db, advances }: ButlerParts): Butler => {
  const { store } = deps
  const keepSteps: KeepSteps = (...of) => store.addRunSteps(...of).catch((error: unknown) => onError('history', error))
  const wired = toButlerDeps(deps, { ...models, modelMs: config.modelMs })
  const plain = createButler(wired, createRunCheckpointer(db), {
    keepSteps: config.runHistory ? keepSteps : undefined,
    onNode: record && recordNodes(record),
  })
  const logged = logSteps(withAdvances(plain, advances, deps), log)
  return record ? traceRuns(logged, { store, clock, record }) : logged
}

type Background = {
  deps: Deps
  /** Chains that are admitted later are added to it. */
  chains: Map<number, Chain>
  butler: Butler
  waiting: () => number
  failures: Failures
  served: ServedChains
  admitted: Awaited<ReturnType<typeof openOutside>>['admitted']
  opened: OpenStore
  name: string
  whenStopping: Stopping
  workers: ReturnType<typeof assemble>['workers']
}

/** Starts the workers. @returns what the operator sees of them */
const startBackground = (options: Options, { opened, name, failures, whenStopping, ...of }: Background) => {
  const { config, onError, log, clock, wrap } = options
  const { store, wakeups, newestReports } = of.deps
  const { databaseUrl: url, role, keepMs, alertWebhook } = config
  const unelected = { onError: (error: unknown) => onError('elections', error) }
  const elections = url ? openElections({ url, name, sql: opened.db.sql, ...unelected }) : openSoleElections(unelected)
  const pool = openPool(options, { wakeups, failures })
  whenStopping(() => Promise.all([elections.close(), pool.stop()]))
  const wrapChain = (chain: Chain) => wrap({ store, chain }).chain
  const operator = {
    store,
    chains: of.chains,
    refusedChains: of.served.refused,
    clock,
    wakeups,
    elections,
    failures,
    newestReports,
  }
  const post = alertWebhook === undefined ? undefined : createAlertPost(alertWebhook)
  startWorkers({ ...of, wrapChain, onError, elections, role, keepMs, operator, log, post }, pool)
  return { operator, elections }
}

/** The pool of workers. What they fail at is counted for the operator. */
const openPool = ({ onError, onStep }: Options, { wakeups, failures }: { wakeups: Wakeups; failures: Failures }) =>
  createWorkerPool({
    wakeups,
    onError: (worker, error) => {
      // A refused transaction stops one wallet, whose note says so, and not the work of a chain.
      if (error instanceof BroadcastRefused) failures.succeeded(worker)
      else failures.failed(worker)
      onError(worker, error)
    },
    onStep: (worker, ms) => {
      failures.succeeded(worker)
      onStep?.(worker, ms)
    },
  })
