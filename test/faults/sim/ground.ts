import type { MemorySearch } from '../../world/search.ts'
import type { Facilitator } from './actors/facilitator.ts'
import type { Seller } from './actors/seller.ts'
import type { ChainModel } from './chain/chain.ts'
import type { ChainTerms } from './chain/port.ts'
import type { Faults } from './faults.ts'
import type { Mutation } from './mutation.ts'
import type { Random } from './random.ts'
import type { Task } from './tasks.ts'
import type { Time } from './time.ts'

/** Everything that outlives a process: its environment. */
export type Ground = {
  random: Random
  time: Time
  chain: ChainModel
  search: MemorySearch
  faults: Faults
  /** A seller outside the service, from which users buy by x402. */
  seller: Seller
  /** Settles paid calls; undefined where the service does so by itself. */
  facilitator: Facilitator | undefined
  terms: ChainTerms
  /** The database file. A power loss replaces it by another one. */
  file: string
  /** Offerings that nobody may hire, which a faulty index returns. */
  hidden(): { agentId: string; offeringId: string }[]
  trace(line: string): void
  /** Errors that the workers reported. */
  errors: { task: Task | undefined; text: string }[]
  /** The model's inputs, each call as text. */
  prompts: string[]
  /** Whether users ask for several things at once. */
  isPlanned: boolean
  /** Whether everything is charged by use. */
  isByUse: boolean
  /** The planted bug; undefined in a run without one. */
  mutation: Mutation | undefined
}
