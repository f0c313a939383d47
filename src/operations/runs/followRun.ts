import type { RunEvent } from '../../domain/runEvent.ts'
import type { Run } from '../../ports.ts'
import type { Deps } from '../operation.ts'
import { isResting } from './awaitRun.ts'

const pageRows = 200
const rereadMs = 1_000

type From = { runId: string; afterSeq: number; deadline: number; signal: AbortSignal }

/**
 * The events of a run as they happen, then the run itself once nothing more comes without its user.
 * Listens before it reads; `beat` comes whenever a while has passed without an event, so that a stream can say it is alive.
 */
export async function* followRun(
  deps: Deps,
  { runId, afterSeq, deadline, signal }: From,
): AsyncGenerator<RunEvent | 'beat', Run | undefined> {
  let seen = afterSeq
  for (;;) {
    const woken = deps.hints.wait(`run:${runId}`, rereadMs, signal)
    const run = await deps.store.run(runId)
    // Thousands of streams look again every second: most of them find nothing new, and need not ask for it.
    const events = run && run.lastSeq > seen ? await deps.store.runEvents(runId, seen, pageRows) : []
    yield* events
    seen = events.at(-1)?.seq ?? seen
    if (signal.aborted || !run || deps.clock.now() >= deadline) return run
    if (events.length === pageRows) continue
    // The run was read before its events: when it rested then, all that it told is among them.
    if (isResting(run)) return run
    if (events.length === 0) yield 'beat'
    // What came since the look above has woken it already.
    await woken
  }
}
