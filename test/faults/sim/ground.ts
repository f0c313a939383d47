import type { ChainModel } from './chain/chain.ts'
import type { ChainTerms } from './chain/port.ts'
import type { Faults } from './faults.ts'
import type { Mutation } from './mutation.ts'
import type { Random } from './random.ts'
import type { SearchModel } from './searchModel.ts'
import type { Task } from './tasks.ts'
import type { Time } from './time.ts'

/** What outlives a process: the world around it. */
export type Ground = {
  random: Random
  time: Time
  chain: ChainModel
  search: SearchModel
  faults: Faults
  terms: ChainTerms
  /** The database file; another one after a loss of power. */
  file: string
  /** Offerings that nobody may hire, for an index that lies. */
  hidden(): { agentId: string; offeringId: string }[]
  trace(line: string): void
  /** What the workers reported. */
  errors: { task: Task | undefined; text: string }[]
  /** What the model was shown, each call as text. */
  prompts: string[]
  /** A safeguard that is taken out; none in an honest run. */
  mutation: Mutation | undefined
}
