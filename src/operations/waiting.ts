import type { Clock, Hints } from '../ports.ts'

/** Hints may be lost; the truth is read again at least this often. */
const rereadMs = 1_000

/**
 * Reads until there is something, waking on a channel, at the latest at the deadline (epoch ms).
 * Listens before it reads, so that what happens in between is not missed.
 */
export const waitUntil = async <T>(
  { hints, clock }: { hints: Hints; clock: Clock },
  at: { channel: string; deadline: number; signal?: AbortSignal | undefined },
  read: () => Promise<T | undefined>,
): Promise<T | undefined> => {
  for (;;) {
    const left = at.deadline - clock.now()
    // Whoever does not wait asks for nothing to be woken by.
    if (left <= 0) return read()
    const woken = hints.wait(at.channel, Math.min(left, rereadMs), at.signal)
    const found = await read()
    if (found !== undefined || at.signal?.aborted) return found
    await woken
  }
}
