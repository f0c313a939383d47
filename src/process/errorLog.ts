import type { Logger } from 'pino'
import { secondMs } from '../domain/durations.ts'
import type { Clock } from '../ports.ts'

/** The same error of the same worker is logged once in this time in ms, with the number of times that it came. */
const quietMs = 30 * secondMs
/** Different errors that are remembered; all are forgotten when there are more. */
const mostErrors = 200

/** Only name, message and stack, because a library's error may contain the request that caused it. */
export const toLogged = (error: unknown) =>
  error instanceof Error ? { name: error.name, message: error.message, stack: error.stack } : String(error)

/** Logs the errors of workers. It logs the first error in full and counts its repetitions, so an outage is a few lines long. */
export const createErrorLog = (log: Pick<Logger, 'error'>, clock: Clock) => {
  const told = new Map<string, { at: number; untold: number }>()
  return (worker: string, error: unknown): void => {
    const key = `${worker} ${error instanceof Error ? `${error.name} ${error.message}` : String(error)}`
    const now = clock.now()
    const before = told.get(key)
    if (before && now - before.at < quietMs) {
      told.set(key, { ...before, untold: before.untold + 1 })
      return
    }
    if (told.size >= mostErrors) told.clear()
    told.set(key, { at: now, untold: 0 })
    const repeated = before?.untold ? { repeated: before.untold } : {}
    log.error({ worker, ...repeated, error: toLogged(error) }, 'worker step undone; it will be tried again')
  }
}
