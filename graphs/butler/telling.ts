import type { NewRunEvent } from '../../src/domain/runs/runEvent.ts'
import type { ButlerDeps } from './deps.ts'
import { effects } from './effects.ts'

/** Kinds of events that say how far a message was read, or its answer. Nothing is decided by them. */
const passing: readonly string[] = ['understood', 'searched', 'chosen', 'answer'] satisfies NewRunEvent['kind'][]

/** How long in ms an event waits for others, so that a person sees the progress of slow work. */
const gatherMs = 30

/** The events of a run that are written while its nodes go on, in their order. */
export type Telling = {
  runId: string
  /** Notes an event, which is written soon. */
  add(event: NewRunEvent): void
  /** Writes what waits and then this event, in one transaction. */
  tell(event: NewRunEvent): ReturnType<ButlerDeps['tell']>
  /** Resolves when all are written. */
  done(): Promise<unknown>
  /** The events that wait, for the write that ends the lease. */
  take(): Promise<NewRunEvent[]>
}

export const createTelling = ({ tellAll }: Pick<ButlerDeps, 'tellAll'>, runId: string): Telling => {
  const waiting: NewRunEvent[] = []
  let timer: NodeJS.Timeout | undefined
  let last: ReturnType<ButlerDeps['tell']> = Promise.resolve(undefined)
  const rest = () => {
    clearTimeout(timer)
    timer = undefined
    return waiting.splice(0)
  }
  const write = (events: NewRunEvent[]) => {
    if (events.length > 0) last = last.then(() => tellAll(runId, events))
    // Whoever waits for the events gets the failure.
    last.catch(() => undefined)
    return last
  }
  const done = () => write(rest())
  return {
    runId,
    add(event) {
      waiting.push(event)
      timer ??= setTimeout(done, gatherMs)
    },
    tell: event => write([...rest(), event]),
    done,
    async take() {
      await last
      return rest()
    },
  }
}

/** Records what was said, which nobody is told. */
const isRecord = (name: string | symbol) => name === 'agreeByWords'

/** Ports that write passing events while the next node reads: in their order, and before anything is done or told. */
export const tellMeanwhile = (deps: ButlerDeps, telling: Telling): ButlerDeps => {
  const tell = async (...[runId, event]: Parameters<ButlerDeps['tell']>) => {
    if (runId !== telling.runId) return deps.tell(runId, event)
    if (!passing.includes(event.kind)) return telling.tell(event)
    telling.add(event)
    return undefined
  }
  return new Proxy(deps, {
    get(target, name, receiver) {
      if (name === 'tell') return tell
      const port: unknown = Reflect.get(target, name, receiver)
      if (typeof port !== 'function' || isRecord(name) || !effects.some(it => it === name)) return port
      return (...args: unknown[]) => telling.done().then(() => Reflect.apply(port, target, args))
    },
  })
}
