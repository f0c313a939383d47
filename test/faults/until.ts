import { setTimeout as pause } from 'node:timers/promises'

/** Enough for a hire on a busy machine. */
const patienceMs = 120_000

/** How often to look, and the clock that says how long it took: one that stops while a service starts does not count that. */
type Manner = { pauseMs?: number; elapsedMs?: () => number }

/** Looks again until there is something; a look that fails found nothing. Rejects after a while, with what was waited for. */
export const until = async <T>(
  what: string,
  look: () => Promise<T | undefined>,
  { pauseMs = 25, elapsedMs = () => performance.now() }: Manner = {},
): Promise<T> => {
  const endsAt = elapsedMs() + patienceMs
  let last: unknown
  while (elapsedMs() < endsAt) {
    const found = await look().catch((error: unknown) => {
      last = error
      return undefined
    })
    if (found !== undefined) return found
    await pause(pauseMs)
  }
  throw new Error(`waited in vain for ${what}`, { cause: last })
}
