import type { Butler, ClaimedRun, Store, Wakeups } from '../ports.ts'
import type { Worker } from './loop.ts'

type Reach = {
  store: Store
  butler: Butler
  wakeups: Wakeups
  /** How many of the runs that are advanced wait for a language model; none without one. */
  waiting?: () => number
  onError(worker: string, error: unknown): void
}

/** Lease of a run in ms, after which a dead holder is noticed. A live one renews it three times in that time. */
const leaseMs = 5_000
/** Runs advanced concurrently. Each mostly waits for the disk. */
const atOnce = 16
/** Further runs, in the places of those that wait for a language model. Each holds a lease and its state meanwhile. */
const mostWaiting = 112

/**
 * Advances the runs that were woken. One that waits for a language model gives its place to another. Each is leased by one
 * worker, so that no node runs twice at the same time. A run that fails keeps its lease until it expires, and is then tried
 * again.
 */
export const advanceRuns = (deps: Reach): Worker => {
  const busy = new Set<Promise<void>>()
  const places = () => atOnce + Math.min(mostWaiting, deps.waiting?.() ?? 0)
  const start = (claimed: { run: ClaimedRun; lease: string }) => {
    const work = advanceHeld(deps, claimed)
      .catch((error: unknown) => deps.onError('advanceRuns', error))
      .finally(() => {
        // Runs that found no free place are not woken again, so the end of this one wakes them.
        if (busy.size >= places()) deps.wakeups.notify('runs')
        busy.delete(work)
      })
    busy.add(work)
  }
  return {
    name: 'advanceRuns',
    channel: 'runs',
    idleMs: 1_000,
    async runOnce() {
      const free = places() - busy.size
      const claimed = free > 0 ? await deps.store.claimRuns(leaseMs, free) : []
      claimed.forEach(start)
      return false
    },
    settle: async () => void (await Promise.all(busy)),
  }
}

const advanceHeld = async (deps: Reach, { run, lease }: { run: ClaimedRun; lease: string }) => {
  const done = new AbortController()
  const held = renewLease(deps, { id: run.id, lease }, done.signal)
  try {
    const reached = { ...(await deps.butler.advance(run, lease)), isAlone: run.isAlone }
    if (await deps.store.releaseRun(run.id, lease, reached)) reached.thread?.wasStored()
  } finally {
    done.abort()
    await held
  }
}

/**
 * Renews the lease of a run. It never rejects, because no one handles its error before the run has been advanced. The next
 * attempt may still succeed in time.
 */
const renewLease = async (
  { store, wakeups, onError }: Reach,
  { id, lease }: { id: string; lease: string },
  signal: AbortSignal,
) => {
  while (!signal.aborted) {
    await wakeups.wait('', leaseMs / 3, signal)
    if (!signal.aborted) await store.renewRunLease(id, lease, leaseMs).catch((error: unknown) => onError('advanceRuns', error))
  }
}
