import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { json, jsonObject } from '../../../src/domain/json.ts'

const oneOrMore = z.union([z.string(), z.array(z.string())]).transform(it => [it].flat())

/** An agent of the market, with its deliverable: a text, `none`, `hold` or `error: …`. */
const agent = z.object({
  ...{ handle: z.string(), name: z.string(), description: z.string(), tags: z.array(z.string()).default([]) },
  offering: z.object({
    ...{ id: z.string(), name: z.string(), description: z.string(), price: z.string(), sla_minutes: z.number() },
    requirement: jsonObject.nullable(),
    deliverable: jsonObject.nullable(),
    examples: z.array(z.string()).default([]),
  }),
  answer: z.string(),
})
export type MarketAgent = z.infer<typeof agent>

/** The expected result of a turn; FORMAT.md explains each member. */
const expectation = z.object({
  outcome: oneOrMore.default([]),
  agents: z.array(z.string()).optional(),
  input: z.record(z.string(), json).default({}),
  fields: z.array(z.string()).optional(),
  act: oneOrMore.default([]),
  says: z.string().optional(),
  says_not: z.string().optional(),
  job: z.string().optional(),
  max_total: z.string().optional(),
  mentions_other: z.string().optional(),
})
export type Expectation = z.infer<typeof expectation>

const conversation = z.object({
  ...{ id: z.string(), kind: z.string(), needs: z.enum(['model', 'no-model']).optional() },
  turns: z.array(z.object({ say: z.string(), expect: expectation })),
})
export type PeopleConversation = z.infer<typeof conversation>

const here = new URL('.', import.meta.url)
const linesOf = async (name: string, folder: URL = here) =>
  (await readFile(new URL(name, folder), 'utf8')).split('\n').filter(it => it.trim() !== '' && !it.startsWith('#'))
const read = async <T>(name: string, shape: z.ZodType<T>, folder?: URL) =>
  (await linesOf(name, folder)).map(line => shape.parse(JSON.parse(line)))

/** A market and the conversations in it, of this folder or of another one of the same format. */
export const readPeople = async (folder?: URL): Promise<{ market: MarketAgent[]; conversations: PeopleConversation[] }> => ({
  market: await read('market.jsonl', agent, folder),
  conversations: await read('conversations.jsonl', conversation, folder),
})
/** Turns that do not come out as written, each as the conversation's id and the number of the turn. */
export const readUnmetTurns = async () => new Set(await linesOf('unmet.txt'))
