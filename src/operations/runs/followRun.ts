import type { RunEvent } from '../../domain/runEvent.ts'
import type { Deps } from '../operation.ts'
import { isResting } from './awaitRun.ts'

const pageRows = 200
/** Interval in ms at which a stream reads its run again without a wake-up, because wake-ups may be lost. */
const rereadMs = 5_000

type From = { runId: string; afterSeq: number; deadline: number; signal: AbortSignal }

/**
 * Yields the events of a run as they happen, until it is at rest. It listens before it reads, so no event
 * is missed. `beat` is yielded after a time without events, as a keep-alive for streams.
 */
export async function* followRun(
  deps: Deps,
  { runId, afterSeq, deadline, signal }: From,
): AsyncGenerator<RunEvent | 'beat', void> {
  let seen = afterSeq
  for (;;) {
    const woken = deps.wakeups.wait(`run:${runId}`, rereadMs, signal)
    const run = await deps.store.runTail(runId, seen, pageRows)
    const events = run?.events ?? []
    yield* events
    seen = events.at(-1)?.seq ?? seen
    if (signal.aborted || !run || deps.clock.now() >= deadline) return
    if (events.length === pageRows) continue
    // The run was read together with its events, so if it was at rest then, all its events have been read.
    if (isResting(run)) return
    if (events.length === 0) yield 'beat'
    // An event since the read has already resolved this promise.
    await woken
  }
}
