import type { Deps } from '../operations/operation.ts'
import type { Chain } from '../ports.ts'
import type { Worker } from './loop.ts'

/** What the workers of one chain work on. `paced` lets a worker read the chain at the pace of what is under way there. */
type ChainWork = { deps: Deps; chain: Chain; paced(worker: Worker): Worker }

/** The workers of a feature: those of a chain's leader, those that several processes may run at once, and those that one runs. */
export type MoreWorkers = {
  ofChain?(work: ChainWork): Worker[]
  shared?(work: { deps: Deps }): Worker[]
  single?(work: { deps: Deps }): Worker[]
}
