import type { NewRunEvent } from '../../src/domain/runs/runEvent.ts'
import type { ButlerDeps } from './deps.ts'
import { effects } from './effects.ts'

/**
 * Kinds of events that say how far a message was read, or its answer. Nothing is decided by them. A person sees progress at once;
 * a choice and an answer are followed by a proposal or by the end of the turn, and written with it.
 */
const passing: Partial<Record<NewRunEvent['kind'], 'now' | 'with the next'>> = {
  understood: 'now',
  searched: 'now',
  chosen: 'with the next',
  answer: 'with the next',
}

/** The events of a run that are written while its nodes go on, in their order. Those of a failed write wait again. */
export type Telling = {
  runId: string
  /** Notes a passing event. */
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
  let last: ReturnType<ButlerDeps['tell']> = Promise.resolve(undefined)
  const write = (...more: NewRunEvent[]) => {
    waiting.push(...more)
    const written = last.catch(() => undefined)
    last = written.then(async before => {
      const events = waiting.splice(0)
      // The write before took them all.
      if (events.length === 0) return before
      try {
        return await tellAll(runId, events)
      } catch (error) {
        waiting.unshift(...events)
        throw error
      }
    })
    // Whoever waits for the events gets the failure.
    last.catch(() => undefined)
    return last
  }
  return {
    runId,
    add(event) {
      if (passing[event.kind] === 'now') write(event)
      else waiting.push(event)
    },
    tell: write,
    done: () => write(),
    async take() {
      await last.catch(() => undefined)
      return waiting.splice(0)
    },
  }
}

/** Records what was said, which nobody is told. */
const isRecord = (name: string | symbol) => name === 'agreeByWords'

/** Ports that write passing events while the next node reads: in their order, and before anything is done or told. */
export const tellMeanwhile = (deps: ButlerDeps, telling: Telling): ButlerDeps => {
  const tell = async (...[runId, event]: Parameters<ButlerDeps['tell']>) => {
    if (runId !== telling.runId) return deps.tell(runId, event)
    if (!passing[event.kind]) return telling.tell(event)
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
