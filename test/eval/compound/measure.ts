import { z } from 'zod'
import { isObject, type JsonObject, jsonObject } from '../../../src/domain/json.ts'
import { type Market, openMarket } from './market.ts'
import { type Row, readRows } from './rows.ts'
import { type Answered, type Heard, type Scored, score, toFigures } from './score.ts'

const question = z.object({ field: z.string(), words: z.string().default('') })
const step = z.object({ offering_name: z.string(), input: z.string() })
const data = z
  .object({
    run_id: z.string(),
    questions: z.array(question),
    choices: z.array(z.object({ name: z.string().optional(), offering_name: z.string().optional() })),
    proposal: z.object({ offeringName: z.string(), input: z.string(), left_out: z.array(z.string()).default([]) }),
    plan: z.object({ steps: z.array(step), unplanned: z.array(z.string()).default([]) }),
    unplanned: z.array(z.string()),
    next_tasks: z.array(z.object({ text: z.string() })),
  })
  .partial()
const reply = z.object({ content: z.string(), data: data.default({}) })

/** What the log of a run says of a plan that lacks values, and of the offering of a single question. */
const logged = z.array(z.object({ type: z.string(), data: z.record(z.string(), z.unknown()) }))
const asked = z.object({
  offering: z.string().optional(),
  steps: z.array(z.object({ offering_name: z.string(), input: jsonObject })).default([]),
})

const toInput = (text: string): JsonObject => {
  try {
    const read: unknown = JSON.parse(text)
    return isObject(read) ? jsonObject.parse(read) : { text }
  } catch {
    return { text }
  }
}

/** The steps that a question for missing values speaks of, as the run's log names them. */
const hearAsked = (events: unknown): Answered[] => {
  const last = logged.parse(events).findLast(it => it.type === 'asked')
  const { offering, steps } = asked.parse(last?.data ?? {})
  return steps.length > 0
    ? steps.map(it => ({ name: it.offering_name, input: it.input }))
    : offering
      ? [{ name: offering, input: {} }]
      : []
}

/** Reads the calls and the other words of an answer. What is asked for missing values is a call without all of its input. */
const hear = async (answer: unknown, market: Market): Promise<Heard> => {
  const { content, data: of } = reply.parse(answer)
  const planned = of.plan?.steps.map(it => ({ name: it.offering_name, input: toInput(it.input) })) ?? []
  const proposed = of.proposal ? [{ name: of.proposal.offeringName, input: toInput(of.proposal.input) }] : []
  const left = [...(of.plan?.unplanned ?? []), ...(of.unplanned ?? []), ...(of.proposal?.left_out ?? [])]
  const next = of.next_tasks?.map(it => it.text) ?? []
  const asked = of.questions?.map(it => it.words) ?? []
  const named = planned.length > 0 ? planned : proposed
  const calls = named.length === 0 && of.questions ? hearAsked(await market.events(of.run_id ?? '')) : named
  return { calls, named: [content, ...left, ...next, ...asked].join('\n') }
}

const askAll = async (market: Market, rows: readonly Row[], show: (words: string) => void): Promise<Scored[]> => {
  const all: Scored[] = []
  for (const row of rows) {
    await market.offer(row.tools)
    const heard = await hear(await market.ask(row.request), market)
    const scored = score(row, heard)
    all.push(scored)
    show(JSON.stringify({ ...scored, heard: heard.calls }))
  }
  return all
}

/**
 * Measures requests for several things at once: each in a market of its own tools alone, one message over `POST /invoke`, and the
 * first answer to it counts.
 */
export const measureCompound = async (file: string, show: (words: string) => void) => {
  const rows = await readRows(file)
  const startedAt = performance.now()
  const market = await openMarket()
  try {
    const all = await askAll(market, rows, show)
    return toFigures(all, Math.round((performance.now() - startedAt) / 1000))
  } finally {
    await market.close()
  }
}
