import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { isObject, type Json, type JsonObject, json, jsonObject } from '../../src/domain/json.ts'
import { fillRequest } from '../../src/language/filling/fillRequest.ts'
import type { Filled } from '../../src/language/filling/request.ts'

const listing = z.object({
  handle: z.string(),
  description: z.string().default(''),
  offering: z.object({
    name: z.string(),
    description: z.string().default(''),
    requirement: jsonObject.nullish(),
    examples: z.array(z.string()).default([]),
  }),
})
type Listing = z.infer<typeof listing>
const expected = z.looseObject({
  outcome: z.union([z.string(), z.array(z.string())]).transform(it => [it].flat()),
  agents: z.array(z.string()).optional(),
  input: z.record(z.string(), json).optional(),
  fields: z.array(z.string()).optional(),
})
type Expected = z.infer<typeof expected>
const conversation = z.object({
  id: z.string(),
  kind: z.string(),
  turns: z.array(z.object({ say: z.string(), expect: expected })),
})
type Conversation = z.infer<typeof conversation>

const dayMs = 86_400_000
const isoIn = (now: number, days: number) => new Date(now + days * dayMs).toISOString().slice(0, 10)
const weekdays = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')

/**
 * The days that a date of the set may mean. Relative dates count from `now`; "next friday" is the coming one or the one after.
 */
const daysOf = (wanted: string, now: number): string[] => {
  if (/^\+\d+$/.test(wanted)) return [isoIn(now, Number(wanted))]
  if (/^\d{4}-/.test(wanted)) return [wanted]
  if (/^\d{2}-\d{2}$/.test(wanted)) {
    const year = new Date(now).getUTCFullYear()
    return [[year, year + 1].map(it => `${it}-${wanted}`).find(it => it >= isoIn(now, 0)) ?? '']
  }
  const name = wanted.split(' ').at(-1) ?? ''
  const ahead = (weekdays.indexOf(name) - new Date(now).getUTCDay() + 7) % 7
  return wanted.startsWith('next')
    ? [isoIn(now, ahead || 7), isoIn(now, ahead + 7)]
    : [isoIn(now, ahead), ...(ahead === 0 ? [isoIn(now, 7)] : [])]
}

const plain = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '')

const isSame = (wanted: Json, given: Json | undefined, now: number): boolean => {
  if (given === undefined) return typeof wanted === 'object' && wanted !== null && 'absent' in wanted
  if (Array.isArray(wanted))
    return (
      Array.isArray(given) && given.length === wanted.length && wanted.every(it => given.some(other => isSame(it, other, now)))
    )
  if (typeof wanted !== 'object' || wanted === null)
    return typeof wanted === 'number' ? Number(given) === wanted : plain(String(wanted)) === plain(String(given))
  const { any, has, date } = jsonObject.parse(wanted)
  if (Array.isArray(any)) return any.some(it => isSame(it, given, now))
  if (typeof has === 'string') return plain([given].flat().join(', ')).includes(plain(has))
  if (typeof date === 'string') return daysOf(date, now).includes(String(given))
  return isObject(given) && Object.entries(wanted).every(([name, it]) => isSame(it, jsonObject.parse(given)[name], now))
}

type Turn = { say: string; expect: Expected; kind: string; step: 'first' | 'change' | 'answer' }
type Share = { right: number; of: number }
const tally = () => new Map<string, Share>()
const count = (shares: Map<string, Share>, name: string, isRight: boolean) => {
  const share = shares.get(name) ?? { right: 0, of: 0 }
  shares.set(name, { right: share.right + Number(isRight), of: share.of + 1 })
}

/** A wrong turn, for the report. */
type Miss = { id: string; say: string; wanted: JsonObject; got: JsonObject; missing: string[] }

type Measuring = { shares: Map<string, Share>; now: number }

const measureTurn = (turn: Turn, filled: Filled, { shares, now }: Measuring): boolean => {
  const { input = {}, fields = [], outcome } = turn.expect
  const named = Object.entries(input).map(([name, wanted]) => isSame(wanted, filled.values[name], now))
  for (const it of named) count(shares, 'values', it)
  const isAsked = outcome.includes('ask') && filled.missing.length > 0
  const isComplete = !outcome.includes('ask') && filled.missing.length === 0
  const isRight = (isComplete && named.every(it => it)) || (isAsked && filled.missing.every(it => fields.includes(it)))
  count(shares, { first: 'first_turns', change: 'changes', answer: 'answers' }[turn.step], isRight)
  return isRight
}

/**
 * Measures a conversation with a known agent, so that only the filling counts. A lost value also counts as lost in later turns.
 */
const measureConversation = (
  it: Conversation,
  byHandle: Map<string, Listing>,
  { shares, now, misses }: Measuring & { misses: Miss[] },
) => {
  let open: { handle: string; filled: Filled; asked: number } | undefined
  for (const { say, expect } of it.turns) {
    const text = say.replace(/\{\{\+(\d+)\}\}/g, (_, days: string) => isoIn(now, Number(days)))
    const [handle] = expect.agents ?? (open && (expect.input ?? expect.fields) ? [open.handle] : [])
    if (!(expect.input ?? expect.fields ?? expect.agents)) {
      if (expect.outcome.includes('answer')) open = expect.outcome.length > 1 ? open : undefined
      continue
    }
    const at = handle && byHandle.get(expect.agents?.includes(open?.handle ?? '') ? (open?.handle ?? '') : handle)
    if (!at) continue
    const isSameListing = open?.handle === at.handle
    const { requirement, name, description } = at.offering
    const isAsked = isSameListing && open !== undefined && open.filled.missing.length > 0
    const filled = fillRequest({
      text,
      requirement: requirement ?? undefined,
      now,
      listing: `${name}\n${description} ${at.description}`,
      ...(isSameListing && open && { known: open.filled.values }),
      ...(isAsked && open && { asked: { fields: open.filled.missing.slice(0, 3) } }),
    })
    const step = isAsked ? 'answer' : isSameListing ? 'change' : 'first'
    const isRight =
      !(expect.input ?? expect.fields) || measureTurn({ say: text, expect, kind: it.kind, step }, filled, { shares, now })
    if (!isRight)
      misses.push({
        id: it.id,
        say: text,
        wanted: { ...expect.input, fields: expect.fields ?? [] },
        got: filled.values,
        missing: filled.missing,
      })
    open = { handle: at.handle, filled, asked: isAsked ? (open?.asked ?? 0) + 1 : 1 }
  }
}

const readRows = async <T>(file: string, shape: z.ZodType<T>): Promise<T[]> =>
  (await readFile(file, 'utf8')).split('\n').flatMap(line => (line.trim() ? [shape.parse(JSON.parse(line))] : []))

/**
 * Measures how well requests, answers and changes are filled when the agent is known: shares from 0 to 1, and the wrong turns.
 */
export const measureFilling = async (dir: string, now: number) => {
  const listings = await readRows(join(dir, 'market.jsonl'), listing)
  const conversations = await readRows(join(dir, 'conversations.jsonl'), conversation)
  const byHandle = new Map(listings.map(it => [it.handle, it]))
  const shares = tally()
  const misses: Miss[] = []
  for (const it of conversations) if (it.kind !== 'language') measureConversation(it, byHandle, { shares, now, misses })
  const row = Object.fromEntries(
    [...shares].flatMap(
      ([name, { right, of }]) =>
        [
          [name, right / of],
          [`${name}_n`, of],
        ] as const,
    ),
  )
  return { row, misses }
}
