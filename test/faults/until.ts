import { setTimeout as pause } from 'node:timers/promises'

/** Enough for a hire on a busy machine, in ms. */
const patienceMs = 120_000

/** The interval of checks, the clock of the timeout, which may stop while a service starts, and more patience than usual. */
type Manner = { pauseMs?: number; elapsedMs?: () => number; moreMs?: number }

/**
 * Repeats a check until it returns a value; a failing check counts as none. Rejects after a timeout and names what was missing.
 */
export const until = async <T>(
  what: string,
  look: () => Promise<T | undefined>,
  { pauseMs = 25, elapsedMs = () => performance.now(), moreMs = 0 }: Manner = {},
): Promise<T> => {
  const endsAt = elapsedMs() + patienceMs + moreMs
  let last: unknown
  while (elapsedMs() < endsAt) {
    const found = await look().then(
      value => ({ value }),
      (error: unknown) => ({ value: undefined, error }),
    )
    if (found.value !== undefined) return found.value
    last = 'error' in found ? found.error : undefined
    await pause(pauseMs)
  }
  throw new Error(`waited in vain for ${what}${last instanceof Error ? `: ${last.message}` : ''}`, { cause: last })
}
