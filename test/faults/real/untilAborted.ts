import type { RealTally } from './tally.ts'

/** What nobody foresaw counts as a loss: a run that broke says nothing of what it did not see. */
export const noteFailure = (tally: RealTally, error: unknown, where: string): undefined => {
  tally.violations.push(`I3 ${toWords(error)} (${where})`)
}

/** An error with everything that caused it: "fetch failed" alone does not tell a refused connection from a silent one. */
const toWords = (error: unknown): string =>
  error instanceof Error ? [error.message, ...(error.cause ? [toWords(error.cause)] : [])].join(': ') : String(error)

type Options = { tally: RealTally; signal: AbortSignal; where?: () => string }

/** Does the work, or as much of it as there is time for. What breaks the work is a violation, unless it was broken off. */
export const untilAborted = async (work: () => Promise<void>, { tally, signal, where }: Options): Promise<void> => {
  const aborted = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => aborted.resolve())
  if (signal.aborted) return
  const done = work().catch((error: unknown) => {
    if (!signal.aborted) noteFailure(tally, error, where?.() ?? 'a hire')
  })
  await Promise.race([done, aborted.promise])
}
