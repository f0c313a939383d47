import { z } from 'zod'
import { type Json, json, jsonObject } from '../json.ts'
import { type Act, act } from './acts.ts'

/** The tools that a language model may call in a turn. The set is closed; none of them says yes, pays or sets a price. */
export const tools = [
  'propose_hire',
  'search_offerings',
  'change_proposal',
  'job_status',
  'cancel',
  'refund',
  'appeal',
  'note_to_agent',
  'read_deliverable',
  'market_facts',
  'agree_or_decline',
  'answer',
] as const
export const tool = z.enum(tools)
export type Tool = z.infer<typeof tool>

const text = z.string().catch('')
const maybeText = z.string().nullish().catch(undefined)
const texts = z.array(z.string()).catch([])

/** A price or span may come as a number. */
const figure = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(undefined)

const said = z.object({ max_price: figure, within: maybeText, agent: maybeText, category: maybeText })
const noLimits: z.infer<typeof said> = {}

const readJson = (value: string): Json => {
  try {
    return json.parse(JSON.parse(value))
  } catch {
    return value
  }
}

/** Values of a form: an object, or name and JSON text of each where a provider asks for a fixed schema. */
const values = z
  .union([
    z
      .array(z.object({ name: z.string(), value: z.string() }))
      .transform(all => Object.fromEntries(all.map(it => [it.name, readJson(it.value)]))),
    jsonObject,
  ])
  .catch({})

/** Texts by the name of an input. Where a provider asks for a fixed schema, they are a list of its members instead. */
const byName = z
  .record(z.string(), z.unknown())
  .transform(all => Object.entries(all).flatMap(([name, it]) => (typeof it === 'string' ? [{ name, text: it }] : [])))

/**
 * A call of a tool, as a model wrote it. A member that is missing or has a wrong type is empty. Candidates and jobs are
 * indices of what was shown.
 */
export const turnCall = z.object({
  tool,
  language: text,
  candidates: z
    .union([
      z.array(z.number().int()),
      z
        .number()
        .int()
        .transform(it => [it]),
    ])
    .catch([]),
  task: text,
  input: values,
  /** Values that were concluded, each with the words of the user that it was concluded from. */
  inferred: z
    .union([
      z.array(z.object({ field: z.string(), from: z.string() })),
      byName.transform(all => all.map(({ name, text: from }) => ({ field: name, from }))),
    ])
    .catch([]),
  limits: said.catch(noLimits),
  /** Wishes about the result, in the words of the user. */
  wishes: texts,
  query: text,
  /** Questions for what is missing, in the language of the user, by field. */
  ask: z
    .union([
      z.array(z.object({ name: z.string(), words: z.string() })),
      byName.transform(all => all.map(({ name, text: words }) => ({ name, words }))),
    ])
    .catch([]),
  /** Number of a step of the open plan, from 1; 0 without one. */
  step: z.number().int().catch(0),
  /** The step is taken out of the plan. */
  leave_out: z.boolean().catch(false),
  job: z.number().int().catch(0),
  /** What an answer is about. */
  source: text,
  /** What of the open offering is asked about. */
  topic: text,
})
export type TurnCall = z.infer<typeof turnCall>

/** What a tool means, besides what depends on the situation. */
const actOfTool: Partial<Record<Tool, Act>> = {
  propose_hire: 'task',
  search_offerings: 'task',
  change_proposal: 'change',
  job_status: 'status',
  cancel: 'cancel',
  refund: 'refund',
  appeal: 'appeal',
  note_to_agent: 'about',
  read_deliverable: 'about',
}

/** The source of an answer when no candidate fits the task. */
export const nothingFits = 'nothing-fits'
/** The source of an answer that needs no facts: small talk, or a question back. */
export const smallTalk = 'talk'

const actOfSource: Record<string, Act> = {
  open: 'about',
  result: 'about',
  harm: 'declined',
  agrees: 'yes',
  declines: 'no',
  later: 'about',
  [nothingFits]: 'task',
  [smallTalk]: 'greeting',
}

/** The act of a call; undefined when it names no source that there is. */
export const actOfCall = ({ tool, source }: Pick<TurnCall, 'tool' | 'source'>): Act | undefined => {
  if (tool === 'market_facts') return source === 'price' ? 'price' : 'recommend'
  return actOfTool[tool] ?? actOfSource[source] ?? act.safeParse(source).data
}
