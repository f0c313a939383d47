import type { Json, JsonObject } from '../../domain/json.ts'
import type { Uploadable } from '../files.ts'
import type { JobContext } from '../job.ts'

/** A function of an existing program that becomes an offering. */
export type Capability = {
  /** The id that the program itself uses. */
  id: string
  name: string
  description: string
  /** JSON schema of the input, which is an object. */
  requirement: JsonObject
  /** JSON schema of the deliverable; empty for any text. */
  deliverable: JsonObject
  tags?: string[]
  examples?: string[]
  /** What one call costs the agent now, in USDC. It is not sold below this price. */
  cost?: string
}

/**
 * One call of a capability: the input as an object, and as unchanged text. A file member of the input is the path of a temporary
 * file. A direct call has no job.
 */
export type Asked = {
  id: string
  input: JsonObject
  text: string
  signal: AbortSignal
  job?: WrappedJob
  /** Present where the deliverable has files: the folder for them, and how one is uploaded. */
  files?: { folder: string; upload(from: Uploadable, name?: string): Promise<string> }
}
/** A job without its files, whose paths stand in the input. */
type WrappedJob = Omit<JobContext, 'files' | 'allFiles'>

export type LeftOut = { id: string; reason: string }

/** An existing program that is sold as an agent. */
export type Source = {
  name: string
  description: string
  capabilities: Capability[]
  /** Capabilities that cannot be sold, with the reason. */
  leftOut?: LeftOut[]
  /** Calls a capability. @throws Error with the program's own text */
  call(asked: Asked): Promise<Json>
  close(): Promise<void>
}
