import { z } from 'zod'
import { tools, turnCall } from '../domain/runs/turnCall.ts'
import type { TurnAnswer } from '../ports.ts'
import { Unreadable } from './patience.ts'

const pair = z.object({ name: z.string(), value: z.string() })
const maybe = z.string().nullable()

/** The answer of a model without tools. Strict structured output requires every property, so those without a value are empty. */
export const plainAnswer = z.object({
  words: z.string(),
  calls: z.array(
    z.object({
      tool: z.enum(tools),
      language: z.string(),
      candidates: z.array(z.number()),
      task: z.string(),
      input: z.array(pair),
      inferred: z.array(z.object({ field: z.string(), from: z.string() })),
      limits: z.object({ max_price: maybe, within: maybe, agent: maybe, category: maybe }),
      wishes: z.array(z.string()),
      query: z.string(),
      job: z.number(),
      step: z.number(),
      leave_out: z.boolean(),
      source: z.string(),
      topic: z.string(),
      ask: z.array(z.object({ name: z.string(), words: z.string() })),
    }),
  ),
})

/** A model may make as many calls as a message has tasks. More are not read. */
const maxCalls = 8
const maxWords = 1_000

const written = z.object({ words: z.string().catch(''), calls: z.array(z.unknown()) })
/** How models write a call as text: the name of the tool is a member, and the arguments stand beside or inside. */
const loose = z.looseObject({ tool: z.string().optional(), name: z.string().optional(), arguments: z.unknown().optional() })

const toCall = (value: unknown) => {
  const { data } = loose.safeParse(value)
  if (!data) return []
  const inside = z.looseObject({}).safeParse(data.arguments ?? data.parameters)
  const read = turnCall.safeParse({ ...data, ...inside.data, tool: data.tool ?? data.name })
  return read.success ? [read.data] : []
}

const readObject = (text: string): unknown => {
  const [first, last] = [text.indexOf('{'), text.lastIndexOf('}')]
  try {
    return first < 0 ? undefined : JSON.parse(text.slice(first, last + 1))
  } catch {
    return undefined
  }
}

/** Calls that a model wrote as text, because it has no tools or does not use them. */
const readWritten = (text: string): TurnAnswer => {
  const value = readObject(text)
  const { data } = written.safeParse(value)
  return data ? { words: data.words, calls: data.calls.flatMap(toCall) } : { words: '', calls: toCall(value) }
}

type Raw = { text: string; calls: { toolName: string; input: unknown }[] }

/** Reads an answer of either kind. @throws Unreadable when it calls no tool that there is */
export const readTurnAnswer = ({ text, calls }: Raw): TurnAnswer => {
  const called = calls.flatMap(it => toCall({ arguments: it.input, tool: it.toolName }))
  const answer = called.length > 0 ? { words: text, calls: called } : readWritten(text)
  if (answer.calls.length === 0) throw new Unreadable(text)
  return { words: answer.words.slice(0, maxWords), calls: answer.calls.slice(0, maxCalls) }
}
