import { z } from 'zod'
import { type RunEvent, runEvent } from '../../domain/runs/runEvent.ts'
import { packedJson } from '../engine/rows.ts'

/** The columns of an event besides the id of its run. */
export const eventShape = runEvent.omit({ runId: true }).shape

/** All events of a run that has reported the end of its job, packed into one column of the run. */
export const packedEvents = packedJson(z.array(z.object({ ...eventShape, key: z.string().optional() })))

type After = { runId: string; afterSeq: number; limit: number }

/** Returns the first packed events of a run after a number, at most `limit`. */
export const readPacked = (packed: unknown, { runId, afterSeq, limit }: After): RunEvent[] =>
  packedEvents
    .parse(packed)
    .filter(it => it.seq > afterSeq)
    .slice(0, limit)
    .map(({ key: _, ...it }) => ({ runId, ...it }))
