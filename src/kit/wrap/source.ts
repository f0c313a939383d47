import type { Json, JsonObject } from '../../domain/json.ts'

/** One thing that an existing program does, and that becomes an offering. */
export type Capability = {
  /** The program's own name of it. */
  id: string
  name: string
  description: string
  /** JSON schema of the input, an object. */
  requirement: JsonObject
  /** JSON schema of the result; empty for any text. */
  deliverable: JsonObject
  tags?: string[]
  examples?: string[]
}

/** One piece of work: the input as an object, and as it came. */
export type Asked = { id: string; input: JsonObject; text: string; signal: AbortSignal }

export type LeftOut = { id: string; reason: string }

/** An existing program that is sold as an agent. */
export type Source = {
  name: string
  description: string
  capabilities: Capability[]
  /** What of it cannot be sold, and why. */
  leftOut?: LeftOut[]
  /** Does one piece of work. @throws Error with the program's own words */
  call(asked: Asked): Promise<Json>
  close(): Promise<void>
}
