import { minuteMs } from '../domain/durations.ts'
import { limits } from '../domain/limits.ts'
import type { Store } from '../ports.ts'
import type { Worker } from './loop.ts'

const looksAtOnce = 500

/**
 * Deletes old posted jobs that have ended, old test jobs, old records without an owner, old histories of runs, and
 * old idempotency keys. It also completes rows that an earlier release wrote.
 */
export const sweepRecords = ({
  store,
}: {
  store: Pick<Store, 'sweepRecords' | 'sweepRunSteps' | 'sweepKeys' | 'fillLooks'>
}): Worker => ({
  name: 'sweepRecords',
  channel: 'deadlines',
  idleMs: minuteMs,
  async runOnce() {
    const hasMoreSteps = await store.sweepRunSteps({ keepMs: limits.historyKeepMs, most: limits.historyRunsOfAll })
    const hasMoreKeys = await store.sweepKeys(limits.answerKeepMs)
    const hasMoreLooks = await store.fillLooks(looksAtOnce)
    const hasMore = hasMoreSteps || hasMoreKeys || hasMoreLooks
    return (await store.sweepRecords(limits.ownerlessKeepMs)) || hasMore
  },
})
