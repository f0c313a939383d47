import type { Failing } from '../../domain/operator/alerts.ts'
import type { Clock } from '../../ports.ts'

/** A worker that failed long ago and had no step since is not failing any more. */
const forgottenMs = 120_000

export type Failures = ReturnType<typeof createFailures>

/** Remembers since when each worker of this process has failed without a success. */
export const createFailures = (clock: Clock) => {
  const failing = new Map<string, { since: number; last: number }>()
  return {
    failed(worker: string) {
      const now = clock.now()
      const before = failing.get(worker)
      failing.set(worker, { since: before && now - before.last < forgottenMs ? before.since : now, last: now })
    },
    succeeded: (worker: string) => void failing.delete(worker),
    list: (now: number): Failing[] =>
      [...failing].flatMap(([worker, { since, last }]) => (now - last < forgottenMs ? [{ worker, sinceMs: now - since }] : [])),
  }
}
