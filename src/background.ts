import type { Config } from './config.ts'
import { minuteMs } from './domain/durations.ts'
import { housekeeping } from './domain/operator/offices.ts'
import type { Deps } from './operations/operation.ts'
import { type OperatorReach, readOperatorState } from './operations/operator/operatorState.ts'
import type { Butler, Chain, Elections, Log, PostAlert } from './ports.ts'
import type { Served, ServedChains } from './servedChains.ts'
import { advanceRuns } from './workers/advanceRuns.ts'
import { callAgents } from './workers/callAgents.ts'
import { claimRefunds } from './workers/claimRefunds.ts'
import { endJobs } from './workers/endJobs.ts'
import { expireJobs } from './workers/expireJobs.ts'
import { giveFeedback } from './workers/giveFeedback.ts'
import { lapseLeases } from './workers/lapseLeases.ts'
import { learnRequests } from './workers/learnRequests.ts'
import { loop, type Worker } from './workers/loop.ts'
import type { MoreWorkers } from './workers/moreWorkers.ts'
import { createPace } from './workers/pace.ts'
import { pruneRuns } from './workers/pruneRuns.ts'
import { pushJobs } from './workers/pushJobs.ts'
import { raiseAlerts } from './workers/raiseAlerts.ts'
import { rateAgents } from './workers/rateAgents.ts'
import { reconcileChain } from './workers/reconcileChain.ts'
import { refreshWork } from './workers/refreshWork.ts'
import { reindexOfferings } from './workers/reindexOfferings.ts'
import { sendTransactions, takeSenders } from './workers/sendTransactions.ts'
import { sweepFiles } from './workers/sweepFiles.ts'
import { sweepRecords } from './workers/sweepRecords.ts'
import { sweepTasks } from './workers/sweepTasks.ts'
import { watchChain } from './workers/watchChain.ts'

type Work = {
  onError(worker: string, error: unknown): void
  deps: Deps
  chains: Map<number, Chain>
  butler: Butler
  /** How many runs wait for a language model. */
  waiting: () => number
  served: ServedChains
  admitted: Served[]
  wrapChain(chain: Chain): Chain
  elections: Elections
  role: Config['role']
  keepMs: Config['keepMs']
  operator: OperatorReach
  log: Log
  post: PostAlert | undefined
  workers: readonly MoreWorkers[]
}

/**
 * Starts the workers of a process. Every process keeps its own index and lists. Runs, deliveries, calls and purchases are claimed
 * row by row by any process that works. The work of a chain is done by its leader, and the rest by one process. A chain may be
 * admitted later.
 */
export const startWorkers = (work: Work, { start, runUntil }: WorkerPool): void => {
  const { deps, chains, served, admitted, wrapChain, elections, role } = work
  const { store, search } = deps
  const serve = (it: Served) => {
    chains.set(it.chain.chainId, it.chain)
    if (role === 'web') return
    elections.lead(it.chain.chainId, async signal => {
      await takeSenders({ store, chain: it.chain })
      await runUntil(signal, ...workersOfChain(work, it))
    })
  }
  admitted.forEach(serve)
  start(
    reindexOfferings({ store, search }),
    refreshWork({ work: deps.work }),
    refreshWork({ work: deps.gateway.tasks }),
    admitLater({ served, wrapChain, serve }),
  )
  if (role === 'web') return
  start(...sharedWorkers(work))
  elections.lead(housekeeping, signal => runUntil(signal, ...housekeepers(work)))
}

/** The workers of a chain's leader. */
const workersOfChain = ({ deps, chains, log, workers }: Work, { chain, blockTimeMs }: Served): Worker[] => {
  const { store, clock, followers, selling } = deps
  const { paced, stayAwake } = createPace({ blockTimeMs })
  // A chain without a block time announces its blocks, which wakes the readers of events.
  const onMined = blockTimeMs > 0 ? () => deps.wakeups.notify('blocks') : undefined
  return [
    paced(sendTransactions({ store, chain, followers, log, onMined, onActive: stayAwake })),
    paced(watchChain({ store, chain, followers })),
    giveFeedback({ store, chain, followers, ids: deps.ids, publicUrl: deps.settings.publicUrl }),
    reconcileChain({ store, chain, followers }),
    expireJobs({ store, chains, clock, selling }, chain.chainId),
    endJobs({ store, chains, clock, selling }, chain.chainId),
    claimRefunds({ store, clock }, chain),
    ...workers.flatMap(it => it.ofChain?.({ deps, chain, paced }) ?? []),
  ]
}

/** The workers of which one runs, whatever chains are served: several processes would do the same work again. */
const housekeepers = ({ deps, keepMs, operator, log, post, workers }: Work): Worker[] => {
  const { store, clock } = deps
  return [
    raiseAlerts({ store, read: () => readOperatorState(operator), clock, log, post }),
    lapseLeases({ store }),
    learnRequests({ store }),
    rateAgents({ store, clock }),
    sweepTasks({ store }),
    sweepRecords({ store }),
    sweepFiles({ store, files: deps.files }),
    ...(keepMs === undefined ? [] : [pruneRuns({ store, keepMs })]),
    ...workers.flatMap(it => it.single?.({ deps }) ?? []),
  ]
}

/** The workers that several processes may run at once. */
const sharedWorkers = ({ deps, butler, waiting, onError, workers }: Work): Worker[] => {
  const { store, wakeups } = deps
  return [
    advanceRuns({ store, butler, wakeups, waiting, onError }),
    pushJobs({ ...deps, onError }),
    callAgents({ ...deps, onError }),
    ...workers.flatMap(it => it.shared?.({ deps }) ?? []),
  ]
}

type PoolDeps = Pick<Deps, 'wakeups'> & Pick<Work, 'onError'> & { onStep?(worker: string, ms: number): void }

/** The running workers of one process. stop() lets each finish its step. */
export const createWorkerPool = (deps: PoolDeps) => {
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

/** Interval in ms at which refused chains are probed again. */
const admitAgainMs = minuteMs

const admitLater = (of: { served: ServedChains; wrapChain: (chain: Chain) => Chain; serve: (it: Served) => void }): Worker => ({
  name: 'admitChains',
  channel: 'chains',
  idleMs: admitAgainMs,
  async runOnce() {
    for (const it of await of.served.admit()) of.serve({ ...it, chain: of.wrapChain(it.chain) })
    return false
  },
})
