import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves after `ms`, or at once on abort. It never rejects. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}

/** The longest pause is this many times the first one: 3 s grow to a minute. */
const growth = 20

/**
 * Calls `attempt` until it returns true, with pauses in between: `firstMs`, twice that, and so on. Ends early on abort.
 * `attempt` must not throw.
 */
export const retryUntilDone = async (attempt: () => Promise<boolean>, firstMs: number, signal: AbortSignal): Promise<void> => {
  for (let waitMs = firstMs; !signal.aborted; waitMs = Math.min(waitMs * 2, firstMs * growth)) {
    if (await attempt()) return
    await pause(waitMs, signal)
  }
}

/** Waits for `work`, at most `ms`. */
export const waitAtMost = async (ms: number, work: Promise<unknown>): Promise<void> => {
  const done = new AbortController()
  await Promise.race([work, pause(ms, done.signal)])
  done.abort()
}
