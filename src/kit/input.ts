import type { z } from 'zod'
import { type Revision, revision as sentBack } from '../domain/jobs/acceptance.ts'
import { isObject, type Json, jsonObject, parseJson } from '../domain/json.ts'
import type { Uploadable } from './files.ts'
import type { JobContext } from './job.ts'

/** Feedback that comes with a job that was returned for another attempt. Any other value is ignored. */
export const revision = sentBack.optional().catch(undefined)

/** A job's input as parsed for a handler. */
export type AgentInput = {
  /** The unchanged input. */
  text: string
  /** The members of a JSON input; `{ topic }` for a sentence; empty for plain text. */
  fields: Record<string, Json>
  /** The offering named before `where topic is`. */
  offering?: string
  topic?: string
  /** Present if an earlier deliverable of this job was returned. */
  revision?: Revision
}

/** The argument of a handler: the input, and the context of the job. */
export type Work = AgentInput & {
  /** The hired job; undefined for a direct call. */
  job?: JobContext
  /** Aborts when the job's deadline passes or the agent stops. */
  signal: AbortSignal
  /**
   * Shows the hirer the progress of the work: at most 300 characters, and fifty texts per job. Never fails, and does nothing
   * without a job.
   */
  progress(text: string): Promise<void>
  /**
   * Returns the input in the type of a zod schema, such as that of the requirement. A text is the value of the only required
   * field. An input that does not fit ends the work, and the buyer reads what does not fit.
   */
  read<T>(schema: z.ZodType<T>): T
  /**
   * Uploads a file for the deliverable, whose member then has the id that this returns. Takes a path, bytes or a stream.
   * @throws Error without a job, and when the platform refuses the file
   */
  upload(from: Uploadable, name?: string): Promise<string>
  /**
   * States how many units the work used, a whole number, where the offering has a usage price. The last call counts. The service
   * charges no more than it can count, and never above the price.
   */
  used(units: number): void
  /** Ends the work without a deliverable. The buyer sees the reason and gets a refund. */
  fail(reason: string): never
}

const marker = " where topic is '"

/**
 * Parses the three forms of a job's input (specification, Job input): JSON text, plain text, or `<offering> where topic is
 * '<topic>'`. It never throws: any other text is plain text.
 */
export const readInput = (text: string): AgentInput => {
  const parsed = jsonObject.safeParse(parseJson(text))
  if (parsed.success) return { text, fields: parsed.data }

  const sentence = text.trim()
  const at = sentence.indexOf(marker)
  const topicAt = at + marker.length
  if (at < 1 || !sentence.endsWith("'") || sentence.length <= topicAt) return { text, fields: {} }
  const topic = sentence.slice(topicAt, -1)
  return { text, fields: { topic }, offering: sentence.slice(0, at), topic }
}

/**
 * Returns the value of a simple offering's only field: that member of a JSON input, the topic of a sentence, or the plain text.
 * Returns undefined if a JSON input has no text there.
 */
export const readField = (input: AgentInput, name: string): string | undefined => {
  const value = input.fields[name]
  if (typeof value === 'string') return value
  return isObject(parseJson(input.text)) ? undefined : (input.topic ?? input.text)
}
