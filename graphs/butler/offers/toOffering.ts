import type { JsonObject } from '../../../src/domain/json.ts'
import type { Listing } from '../../../src/domain/offerings/offering.ts'

/** A listing as a task's words are read for it. */
export const toOffering = ({ agentId, id, name, description, requirement }: Listing): Offering => ({
  key: `${agentId} ${id}`,
  requirement,
  listing: `${name}\n${description}`,
})
type Offering = { key: string; requirement: JsonObject; listing: string }
