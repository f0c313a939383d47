import { everyChannel } from '../domain/net/channels.ts'
import type { RunEvent } from '../domain/runs/runEvent.ts'
import type { Wakeups } from '../ports.ts'

/** Maximum number of events that wait for one stream, and for all streams of the process. */
export type FeedBounds = { ofOne: number; ofAll: number }
/** A stream that falls behind reads the store, so a short queue suffices. An event that is handed over has 4 KB at most. */
const feedBounds: FeedBounds = { ofOne: 32, ofAll: 8_192 }

const prefix = 'run:'

/** The committed events of one run that its stream has not taken yet. */
export type RunFeed = {
  /**
   * Takes the waiting events that come directly after event `seen`. Without any it waits for the next, at most `timeoutMs`, and
   * until the feed ends.
   * @returns undefined when the stream must read the store: nothing came, an event is missing, or more than events changed
   */
  next(seen: number, timeoutMs: number): Promise<RunEvent[] | undefined>
  /** Ends the feed. The abort of its signal ends it too. */
  close(): void
}

export type RunFeeds = { follow(runId: string, signal: AbortSignal): RunFeed }

type Queue = { events: RunEvent[]; isBroken: boolean; isClosed: boolean; wake(): void }
const createQueue = (): Queue => ({ events: [], isBroken: false, isClosed: false, wake: () => undefined })

/**
 * Hands the events that this process commits to the streams of their run, in memory. Events of other processes come without
 * their content, so the stream reads them from the store.
 */
export const createRunFeeds = (wakeups: Pick<Wakeups, 'on'>, { ofOne, ofAll } = feedBounds): RunFeeds => {
  const queuesByRun = new Map<string, Set<Queue>>()
  let waiting = 0

  const clear = (queue: Queue) => {
    const { events } = queue
    waiting -= events.length
    queue.events = []
    return events
  }
  const add = (queue: Queue, events: RunEvent[] | undefined) => {
    const isFull = queue.events.length + (events?.length ?? 0) > ofOne || waiting + (events?.length ?? 0) > ofAll
    queue.isBroken ||= !events || isFull
    if (queue.isBroken || !events) clear(queue)
    else {
      queue.events.push(...events)
      waiting += events.length
    }
    queue.wake()
  }
  wakeups.on((channel, events) => {
    if (channel === everyChannel) for (const queues of queuesByRun.values()) for (const it of queues) add(it, undefined)
    if (channel.startsWith(prefix)) for (const it of queuesByRun.get(channel.slice(prefix.length)) ?? []) add(it, events)
  })

  return {
    follow(runId, signal) {
      const queue = createQueue()
      const queues = queuesByRun.get(runId) ?? new Set()
      queuesByRun.set(runId, queues.add(queue))
      const close = () => {
        signal.removeEventListener('abort', close)
        clear(queue)
        if (queues.delete(queue) && queues.size === 0) queuesByRun.delete(runId)
        queue.isClosed = true
        queue.wake()
      }
      signal.addEventListener('abort', close, { once: true })
      if (signal.aborted) close()
      return {
        async next(seen, timeoutMs) {
          await somethingIn(queue, timeoutMs)
          const { isBroken } = queue
          queue.isBroken = false
          const events = clear(queue)
          if (isBroken || events.length === 0) return undefined
          const unseen = events.filter(({ seq }) => seq > seen)
          return unseen.every(({ seq }, at) => seq === seen + 1 + at) ? unseen : undefined
        },
        close,
      }
    },
  }
}

const somethingIn = async (queue: Queue, timeoutMs: number): Promise<void> => {
  if (queue.isClosed || queue.isBroken || queue.events.length > 0) return
  await new Promise<void>(resolve => {
    const timer = setTimeout(resolve, timeoutMs)
    queue.wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
  queue.wake = () => undefined
}
