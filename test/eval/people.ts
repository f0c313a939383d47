import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { jsonObject } from '../../src/domain/json.ts'
import type { Indexed } from '../../src/ports.ts'
import { toListing } from './index.ts'

const agent = z.object({
  ...{ handle: z.string(), name: z.string(), description: z.string(), tags: z.array(z.string()).default([]) },
  offering: z.object({
    ...{ id: z.string(), name: z.string(), description: z.string(), price: z.string(), sla_minutes: z.number() },
    requirement: jsonObject.nullish(),
    examples: z.array(z.string()).default([]),
  }),
})
const oneOrMore = z.union([z.string(), z.array(z.string())]).transform(it => [it].flat())
const conversation = z.object({
  ...{ id: z.string(), kind: z.string(), needs: z.string().optional() },
  turns: z.array(
    z.object({ say: z.string(), expect: z.object({ outcome: oneOrMore, agents: z.array(z.string()).default([]) }) }),
  ),
})

/** The first message of a conversation. `agents` are the right handles; it is empty where nothing fits. */
export type Request = { id: string; kind: string; text: string; agents: string[]; outcome: string[] }
export type People = { listings: Indexed[]; requests: Request[] }

const readLines = async <T>(file: string, shape: z.ZodType<T>): Promise<T[]> =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => shape.parse(JSON.parse(line)))

const inDays = (days: string) => new Date(Date.UTC(2030, 0, 1 + Number(days))).toISOString().slice(0, 10)

const withDates = (text: string) => text.replace(/\{\{([^}]+)\}\}/g, (_, days: string) => inDays(days))

const own = z.object({ id: z.string(), kind: z.string(), text: z.string(), agents: z.array(z.string()) })

/** Additional requests for the same market, written for this project. */
const readOwn = async (handles: ReadonlySet<string>): Promise<Request[]> => {
  const all = await readLines(fileURLToPath(new URL('requests.jsonl', import.meta.url)), own)
  return all
    .filter(it => it.agents.every(handle => handles.has(handle)))
    .map(it => ({ ...it, text: withDates(it.text), outcome: [] }))
}

/**
 * The market and the first messages in a folder of conversations, and additional requests. Messages that request no work are
 * excluded.
 */
export const readPeople = async (dir: string): Promise<People> => {
  const market = await readLines(join(dir, 'market.jsonl'), agent)
  const conversations = await readLines(join(dir, 'conversations.jsonl'), conversation)
  const listings = market.map(({ handle, name, description, tags, offering }, place) => ({
    ...toListing({ ...offering, requirement: offering.requirement ?? {} }, place),
    ...{ agentHandle: handle, agentName: name, price: offering.price, slaMinutes: offering.sla_minutes },
    ...{ examples: offering.examples, agentText: [description, ...tags].join('\n') },
  }))
  const requests = conversations.flatMap(({ id, kind, turns: [first] }) => {
    if (!first || (first.expect.agents.length === 0 && kind !== 'none')) return []
    const text = withDates(first.say)
    return [{ id, kind, text, ...first.expect }]
  })
  return { listings, requests: [...requests, ...(await readOwn(new Set(market.map(it => it.handle))))] }
}
