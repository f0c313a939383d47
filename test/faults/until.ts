import { setTimeout as pause } from 'node:timers/promises'

/** Several starts of a service fit in, also on a busy machine. */
const patienceMs = 120_000

/** Looks again until there is something; a look that fails found nothing. Rejects after a while, with what was waited for. */
export const until = async <T>(what: string, look: () => Promise<T | undefined>, pauseMs = 25): Promise<T> => {
  const endsAt = performance.now() + patienceMs
  let last: unknown
  while (performance.now() < endsAt) {
    const found = await look().catch((error: unknown) => {
      last = error
      return undefined
    })
    if (found !== undefined) return found
    await pause(pauseMs)
  }
  throw new Error(`waited in vain for ${what}`, { cause: last })
}
