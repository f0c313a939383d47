import { type NodeTime, toSpans } from '../domain/runs/hireTrace.ts'
import type { Butler, Clock, RecordSpan, Store } from '../ports.ts'

/** Maximum number of events of a run in its trace. */
const maxEvents = 2_000

type Reach = { store: Pick<Store, 'runEvents'>; clock: Clock; record: RecordSpan }

/**
 * Records the trace of each run when it ends: its job, deliveries, transactions and settlement, as its event log has them. A
 * step that is repeated records the same span ids again.
 */
export const traceRuns = (butler: Butler, { store, clock, record }: Reach): Butler => ({
  ...butler,
  async advance(run, lease) {
    const after = await butler.advance(run, lease)
    const hasEnded = after.state === 'completed' || after.state === 'failed'
    if (hasEnded && run.state !== after.state) {
      const events = await store.runEvents(run.id, 0, maxEvents)
      for (const span of toSpans({ id: run.id, state: after.state }, events, clock.now())) record(span)
    }
    return after
  },
})

/** Records each node of the butler's graph that ran. */
export const recordNodes =
  (record: RecordSpan) =>
  ({ node, step, ...of }: NodeTime): void =>
    record({ ...of, name: `node ${node}`, attributes: { 'market.run': of.runId, 'market.step': step } })
