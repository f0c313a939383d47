import type { Clock, Wakeups } from '../ports.ts'

/** Wake-ups may be lost, so the state is read again at least this often, in ms. */
const rereadMs = 1_000

/**
 * Reads until there is a result, woken by a channel, at most until the deadline (epoch ms). It listens before it reads, so that
 * nothing in between is missed. `isKnown`: there was no result a moment ago, so the first read waits for the channel.
 */
export const waitUntil = async <T>(
  { wakeups, clock }: { wakeups: Wakeups; clock: Clock },
  at: { channel: string; deadline: number; signal?: AbortSignal | undefined; isKnown?: boolean | undefined },
  read: () => Promise<T | undefined>,
): Promise<T | undefined> => {
  for (let isFirst = true; ; isFirst = false) {
    const left = at.deadline - clock.now()
    // Without a wait there is nothing to listen for.
    if (left <= 0) return read()
    const woken = wakeups.wait(at.channel, Math.min(left, rereadMs), at.signal)
    const found = isFirst && at.isKnown ? undefined : await read()
    if (found !== undefined || at.signal?.aborted) return found
    await woken
  }
}
