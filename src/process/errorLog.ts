import type { Logger } from 'pino'
import { secondMs } from '../domain/durations.ts'
import type { Clock } from '../ports.ts'

/** The same error is logged once in this time in ms, whatever worker or request met it. */
const quietMs = 30 * secondMs
/** Different errors that are remembered; all are forgotten when there are more. */
const mostErrors = 200

/** Only name, message and stack, because a library's error may contain the request that caused it. */
export const toLogged = (error: unknown) =>
  error instanceof Error ? { name: error.name, message: error.message, stack: error.stack } : String(error)

/**
 * Logs errors: the first of a kind in full, and after the quiet time the next one with how often it came meanwhile and where. So
 * an outage, which every worker and request meets, is a few lines long.
 */
export const createErrorLog = (log: Pick<Logger, 'error'>, clock: Clock) => {
  const told = new Map<string, { at: number; untold: Map<string, number> }>()
  return (where: string, error: unknown, words: string): void => {
    const key = error instanceof Error ? `${error.name} ${error.message}` : String(error)
    const now = clock.now()
    const before = told.get(key)
    if (before && now - before.at < quietMs) {
      before.untold.set(where, (before.untold.get(where) ?? 0) + 1)
      return
    }
    if (told.size >= mostErrors) told.clear()
    told.set(key, { at: now, untold: new Map() })
    const repeated = before?.untold.size ? { repeated: Object.fromEntries(before.untold) } : {}
    log.error({ where, ...repeated, error: toLogged(error) }, words)
  }
}
