import { collectDefaultMetrics, Registry } from 'prom-client'
import { inTime } from './inTime.ts'
import { watchMarket } from './market.ts'
import { type Reach, watchProcess } from './process.ts'
import { countWork } from './work.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** Time limit in ms of all reads of one collection, so that a database or a node that hangs leaves the other metrics. */
const readMs = 3_000

/** Counts what one process does. */
export const createMetrics = () => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  let read = async (): Promise<unknown> => undefined
  return {
    ...countWork(registry),
    /** Adds what is read at each collection from this process, the database and the chains. */
    watch(reach: Reach) {
      const [ofProcess, ofMarket] = [watchProcess(registry, reach), watchMarket(registry, reach)]
      // A failed read keeps the previous value of its metric, and the other metrics are still returned.
      read = () => Promise.allSettled([ofProcess(), ofMarket()])
    },
    /** The metrics as Prometheus reads them (exposition format 0.0.4). */
    collect: async () => {
      await inTime(read(), undefined, readMs)
      return { type: registry.contentType, text: await registry.metrics() }
    },
  }
}
