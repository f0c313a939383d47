import { useRef, useState } from 'hono/jsx/dom'
import type { RunRecord as Run } from '../../records/run.ts'
import { type Api, Refused } from '../client/api.ts'
import { useEffect } from '../client/effects.ts'
import { toWords, useReach } from '../client/reach.ts'
import type { RunEvent } from '../client/shapes.ts'

/** `isMissing`: this user has no such run. */
export type Followed = { events: RunEvent[]; run?: Run; error?: string; isMissing?: boolean }

const isEnded = (run: Run) => run.state === 'completed' || run.state === 'failed'
const isAsking = (run: Run) => run.state === 'awaiting-input' || run.state === 'awaiting-confirmation'

/** A new job has deadlines, and a plan has its steps. Only the record contains them. */
const needsRecord = ({ type }: RunEvent) => type === 'job.open' || type === 'plan.step'

/** Whether a further task of the message will soon start its own run. */
const hasNext = (run: Run) => run.next_tasks?.some(it => it.state === 'waiting') ?? false

/** Interval in ms at which the run is read again, because another tab or program may answer it. */
const pollMs = 3_000

type Follow = { api: Api; runId: string; signal: AbortSignal; pause(): Promise<void>; tell(it: Followed): void }

/** Reports a run and all its events until it has ended. After a lost connection it continues with the next event. */
const followRun = async ({ api, runId, signal, pause, tell }: Follow): Promise<void> => {
  const known: Followed & { events: RunEvent[] } = { events: [] }
  const add = (events: RunEvent[]) => {
    const last = known.events.at(-1)?.seq ?? 0
    known.events = [...known.events, ...events.filter(it => it.seq > last)]
  }
  const lastSeq = () => known.events.at(-1)?.seq ?? 0
  const refresh = async (): Promise<Run> => {
    // The run is read before its events, so a waiting run has all its events in this response.
    const run = await api.get<Run>(`/runs/${runId}?deliverable=reference`, signal)
    const later = await api.get<RunEvent[]>(`/runs/${runId}/events?after=${lastSeq()}&deliverable=reference`, signal)
    add(later)
    tell({ events: known.events, run })
    // A job or a step that opened after the run was read is missing in this record.
    return !isEnded(run) && later.some(needsRecord) ? refresh() : run
  }
  const stay = async (run: Run) => {
    if (isAsking(run)) return pause()
    for await (const event of api.events(runId, lastSeq(), signal)) {
      add([event])
      tell({ events: known.events, run })
      if (needsRecord(event)) return
    }
  }
  while (!signal.aborted) {
    try {
      const run = await refresh()
      if (isEnded(run) && !hasNext(run)) return
      await (isEnded(run) ? pause() : stay(run))
    } catch (error) {
      if (signal.aborted) return
      const status = error instanceof Refused ? error.status : 0
      // A limit on open streams is not reported, because polling continues. An unreachable service and a stream that broke are
      // not reported either, because the page shows them elsewhere.
      if (status !== 429 && status !== 0) tell({ events: known.events, error: toWords(error), isMissing: status === 404 })
      if (status === 404 || status === 401) return
      await pause()
    }
  }
}

/** Events that change the user's balance. */
const moving = new Set<RunEvent['type']>(['job.escrowed', 'job.refunded', 'job.retracted', 'job.restored', 'payment.settled'])

/** Returns the current state of a run, updated until it ends. `look` reads it at once, after an answer was sent. */
export const useRun = (runId: string): Followed & { look(): void } => {
  const { api, balanceChanges } = useReach()
  const [state, setState] = useState<Followed>({ events: [] })
  const wake = useRef<() => void>(() => undefined)
  useEffect(() => {
    const gone = new AbortController()
    const pause = () =>
      new Promise<void>(done => {
        const timer = setTimeout(done, pollMs)
        wake.current = () => {
          clearTimeout(timer)
          done()
        }
      })
    void followRun({ api, runId, signal: gone.signal, pause, tell: it => gone.signal.aborted || setState(it) })
    // When the network is back, the pause ends at once.
    const back = () => wake.current()
    addEventListener('online', back)
    return () => {
      removeEventListener('online', back)
      gone.abort()
      wake.current()
    }
  }, [runId])
  const moves = state.events.filter(it => moving.has(it.type)).length
  const known = useRef<number | undefined>(undefined)
  useEffect(() => {
    if (!state.run) return
    if (known.current !== undefined && known.current < moves) balanceChanges.notify()
    known.current = moves
  }, [moves, state.run])
  return { ...state, look: () => wake.current() }
}
