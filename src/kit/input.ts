import { type Revision, revision as sentBack } from '../domain/acceptance.ts'
import { isObject, type Json, jsonObject, parseJson } from '../domain/json.ts'
import type { JobContext } from './job.ts'

/** What comes with a job that was sent back. Other shapes are read as no such member. */
export const revision = sentBack.optional().catch(undefined)

/** A job's input as a provider reads it. */
export type AgentInput = {
  /** The input byte for byte. */
  text: string
  /** The members of a JSON input, `{ topic }` of a sentence, nothing for plain text. */
  fields: Record<string, Json>
  /** What stood before `where topic is`. */
  offering?: string
  topic?: string
  /** Present when a deliverable of this job was sent back. */
  revision?: Revision
}

/** What a handler gets: the input, and what belongs to this piece of work. */
export type Work = AgentInput & {
  /** The hired job; undefined for a direct call. */
  job?: JobContext
  /** Aborts when the job's deadline passes or the agent stops. */
  signal: AbortSignal
  /** Tells the hirer how far the work is; at most 300 characters, and fifty texts a job. Never fails, and does nothing without a job. */
  progress(text: string): Promise<void>
  /** Ends the work without a deliverable. The buyer reads the reason and is refunded. */
  fail(reason: string): never
}

const marker = " where topic is '"

/**
 * Reads the three forms in which a job's input arrives (specification, Job input): JSON text, plain text,
 * or `<offering> where topic is '<topic>'`. Never fails: what is neither JSON object nor sentence is plain text.
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
 * The one thing that a simple offering asks for: the named field of a JSON input, the topic of a sentence, or the plain
 * text itself. Undefined when a JSON input lacks the field or holds no text there.
 */
export const readField = (input: AgentInput, name: string): string | undefined => {
  const value = input.fields[name]
  if (typeof value === 'string') return value
  return isObject(parseJson(input.text)) ? undefined : (input.topic ?? input.text)
}
