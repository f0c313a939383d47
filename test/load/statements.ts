import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { z } from 'zod'
import { round } from './measures.ts'

/** One statement of a database driver, from its call to its answer, in epoch ms. */
const statement = z.object({
  text: z.string(),
  from: z.number(),
  // A statement without an answer has no end, which JSON writes as null.
  to: z
    .number()
    .nullable()
    .transform(it => it ?? Number.POSITIVE_INFINITY),
})
export type Statement = z.infer<typeof statement>

const asked = z.object({ statements: z.enum(['start', 'stop']) })
export const isAsked = (message: unknown): message is z.infer<typeof asked> => asked.safeParse(message).success

/** The module that notes the statements of the process into which Node preloads it. */
export const tapArgs = ['--import', new URL('statementTap.ts', import.meta.url).pathname]

/** The statements of a process during some work. It must have been started with `tapArgs` and a channel to its parent. */
export const statementsOf = async (child: ChildProcess, work: () => Promise<unknown>): Promise<Statement[]> => {
  child.send({ statements: 'start' })
  await work()
  child.send({ statements: 'stop' })
  const [answer] = await once(child, 'message')
  return z.object({ statements: z.array(statement) }).parse(answer).statements
}

/** The most statements of which each began after the one before was answered: the round trips that add up. */
export const inARow = (statements: readonly Statement[]): Statement[] => {
  const row: Statement[] = []
  for (const it of statements.toSorted((one, other) => one.to - other.to))
    if (it.from >= (row.at(-1)?.to ?? Number.NEGATIVE_INFINITY)) row.push(it)
  return row
}

/** When each part of a hire began, in epoch ms, in order. The last one is no part, but the end. */
export type Parts = Record<string, number>

/** Statements and round trips of each part of some hires, on average. */
export const byPart = (statements: readonly Statement[], hires: readonly Parts[]) => {
  const names = Object.keys(hires[0] ?? {}).slice(0, -1)
  const of = (name: string) =>
    hires.map(parts => {
      const times = Object.entries(parts)
      const at = times.findIndex(([it]) => it === name)
      const [from = 0, to = 0] = [times[at]?.[1], times[at + 1]?.[1]]
      return statements.filter(it => it.from >= from && it.from < to)
    })
  const mean = (counts: number[]) => round(counts.reduce((sum, it) => sum + it, 0) / hires.length)
  return Object.fromEntries(
    names.map(name => {
      const its = of(name)
      return [name, { statements: mean(its.map(it => it.length)), in_a_row: mean(its.map(it => inARow(it).length)) }]
    }),
  )
}

const shownChars = 160

const toShown = ({ text }: Statement) => text.replaceAll(/\s+/g, ' ').slice(0, shownChars)

/** Statements as lines in the order of their calls: the ms from the first, the place of those that added up, and the text. */
export const toLines = (statements: readonly Statement[]): string[] => {
  const places = new Map(inARow(statements).map((it, at) => [it, at + 1]))
  const inOrder = statements.toSorted((one, other) => one.from - other.from)
  const ms = (it: Statement) => Math.round(it.from - (inOrder[0]?.from ?? 0))
  return inOrder.map(it => `${`${ms(it)} ms`.padStart(8)} ${`${places.get(it) ?? ''}`.padStart(4)} ${toShown(it)}`)
}

/** The statements of some hires, the most frequent first, as lines with their number in each. */
export const mostFrequent = (statements: readonly Statement[], hires: number): string[] =>
  [...Map.groupBy(statements, toShown)]
    .sort(([, one], [, other]) => other.length - one.length)
    .map(([text, of]) => `${(of.length / hires).toFixed(1).padStart(7)} ${text}`)
