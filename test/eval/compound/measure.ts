import { z } from 'zod'
import { isObject, type JsonObject, jsonObject } from '../../../src/domain/json.ts'
import { type Market, openMarket } from './market.ts'
import { type Row, readRows } from './rows.ts'
import { type Heard, type Scored, score, toFigures } from './score.ts'

const question = z.object({ field: z.string(), words: z.string().default('') })
const step = z.object({ offering_name: z.string(), input: z.string() })
const data = z
  .object({
    questions: z.array(question),
    choices: z.array(z.object({ name: z.string().optional(), offering_name: z.string().optional() })),
    proposal: z.object({ offeringName: z.string(), input: z.string(), leftOut: z.array(z.string()).default([]) }),
    plan: z.object({ steps: z.array(step), unplanned: z.array(z.string()).default([]) }),
    unplanned: z.array(z.string()),
    next_tasks: z.array(z.object({ text: z.string() })),
  })
  .partial()
const reply = z.object({ content: z.string(), data: data.default({}) })

const toInput = (text: string): JsonObject => {
  try {
    const read: unknown = JSON.parse(text)
    return isObject(read) ? jsonObject.parse(read) : { text }
  } catch {
    return { text }
  }
}

/** Reads the calls and the other words of an answer. A question about inputs names an offering without all of its input. */
export const hear = (answer: unknown): Heard => {
  const { content, data: of } = reply.parse(answer)
  const planned = of.plan?.steps.map(it => ({ name: it.offering_name, input: toInput(it.input) })) ?? []
  const proposed = of.proposal ? [{ name: of.proposal.offeringName, input: toInput(of.proposal.input) }] : []
  const left = [...(of.plan?.unplanned ?? []), ...(of.unplanned ?? []), ...(of.proposal?.leftOut ?? [])]
  const next = of.next_tasks?.map(it => it.text) ?? []
  const asked = of.questions?.map(it => it.words) ?? []
  return { calls: planned.length > 0 ? planned : proposed, named: [content, ...left, ...next, ...asked].join('\n') }
}

const askAll = async (market: Market, rows: readonly Row[], show: (words: string) => void): Promise<Scored[]> => {
  const all: Scored[] = []
  for (const row of rows) {
    await market.offer(row.tools)
    const heard = hear(await market.ask(row.request))
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
