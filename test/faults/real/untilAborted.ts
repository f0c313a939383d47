import type { RealTally } from './tally.ts'

/** Records an unexpected failure as a loss, because a failed run proves nothing about what it did not check. */
export const noteFailure = (tally: RealTally, error: unknown, where: string): undefined => {
  tally.violations.push(`I3 ${toWords(error)} (${where})`)
}

/** An error with all its causes: "fetch failed" alone does not distinguish a refused connection from a timeout. */
const toWords = (error: unknown): string =>
  error instanceof Error ? [error.message, ...(error.cause ? [toWords(error.cause)] : [])].join(': ') : String(error)

type Options = { tally: RealTally; signal: AbortSignal; where?: () => string }

/** Runs the work until it ends or is aborted. A failure of the work is a violation, except an abort. */
export const untilAborted = async (work: () => Promise<void>, { tally, signal, where }: Options): Promise<void> => {
  const aborted = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => aborted.resolve())
  if (signal.aborted) return
  const done = work().catch((error: unknown) => {
    if (!signal.aborted) noteFailure(tally, error, where?.() ?? 'a hire')
  })
  await Promise.race([done, aborted.promise])
}
