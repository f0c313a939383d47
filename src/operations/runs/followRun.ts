import type { RunEvent } from '../../domain/runs/runEvent.ts'
import type { Deps } from '../operation.ts'
import { isResting } from './awaitRun.ts'

const pageRows = 200
/** Interval in ms at which a stream reads its run again without a wake-up, because wake-ups may be lost. */
const rereadMs = 5_000

type From = { runId: string; afterSeq: number; deadline: number; signal: AbortSignal }

/**
 * Yields the events of a run as they happen, until it is at rest. It listens before it reads, so no event
 * is missed. Events that this process commits are taken from memory, all others from the store. `beat` is yielded after a time
 * without events, as a keep-alive for streams.
 */
export async function* followRun(
  deps: Deps,
  { runId, afterSeq, deadline, signal }: From,
): AsyncGenerator<RunEvent | 'beat', void> {
  const feed = deps.runFeeds.follow(runId, signal)
  let seen = afterSeq
  let taken: RunEvent[] | undefined
  try {
    for (;;) {
      const run = taken ? undefined : await deps.store.runTail(runId, seen, pageRows)
      const events = taken ?? run?.events ?? []
      yield* events
      seen = events.at(-1)?.seq ?? seen
      if (signal.aborted || !(taken || run) || deps.clock.now() >= deadline) return
      if (events.length === pageRows) continue
      // The run was read together with its events, so if it was at rest then, all its events have been read.
      if (run && isResting(run)) return
      if (run && events.length === 0) yield 'beat'
      taken = await feed.next(seen, rereadMs)
    }
  } finally {
    feed.close()
  }
}
