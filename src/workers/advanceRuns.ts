import type { Butler, Hints, Run, Store } from '../ports.ts'
import type { Worker } from './loop.ts'

type Reach = { store: Store; butler: Butler; hints: Hints; onError(worker: string, error: unknown): void }

/** A dead holder is noticed after this; a live one holds on three times in that time. */
const leaseMs = 15_000
/** Runs advanced side by side; each waits mostly for a model or the disk. */
const atOnce = 16

/**
 * Goes on with the runs that were woken: each held by one worker, so that no node runs twice at once. A run that fails is
 * not let go: its hold lapses, and it is tried again.
 */
export const advanceRuns = (deps: Reach): Worker => {
  const busy = new Set<Promise<void>>()
  const start = (claimed: { run: Run; lease: string }) => {
    const work = advanceHeld(deps, claimed)
      .catch((error: unknown) => deps.onError('advanceRuns', error))
      .finally(() => {
        // Runs that found no room wait for this one to end, and nobody wakes them a second time.
        if (busy.size === atOnce) deps.hints.notify('runs')
        busy.delete(work)
      })
    busy.add(work)
  }
  return {
    name: 'advanceRuns',
    channel: 'runs',
    idleMs: 1_000,
    async runOnce() {
      const claimed = busy.size < atOnce ? await deps.store.claimRuns(leaseMs, atOnce - busy.size) : []
      claimed.forEach(start)
      return false
    },
    settle: async () => void (await Promise.all(busy)),
  }
}

const advanceHeld = async (deps: Reach, { run, lease }: { run: Run; lease: string }) => {
  const done = new AbortController()
  const held = holdOn(deps, { id: run.id, lease }, done.signal)
  try {
    await deps.store.releaseRun(run.id, lease, await deps.butler.advance(run, lease))
  } finally {
    done.abort()
    await held
  }
}

/** Never rejects: nobody listens before the run has been advanced, and the next try may succeed in time. */
const holdOn = async ({ store, hints, onError }: Reach, { id, lease }: { id: string; lease: string }, signal: AbortSignal) => {
  while (!signal.aborted) {
    await hints.wait('', leaseMs / 3, signal)
    if (!signal.aborted) await store.holdRun(id, lease, leaseMs).catch((error: unknown) => onError('advanceRuns', error))
  }
}
