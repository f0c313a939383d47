import { isObject } from '../../src/domain/json.ts'
import type { ButlerDeps } from './deps.ts'
import { effects } from './effects.ts'
import { watchPorts } from './history/watch.ts'

/** Kinds of events that say how far a message was read. Nothing is decided by them. */
const passing = ['understood', 'searched', 'chosen']
const isPassing = (event: unknown) => isObject(event) && passing.some(it => it === event.kind)

/** The events of a run that are being written while its nodes go on. */
export type Telling = {
  /** Writes an event after those before it. */
  add(write: () => unknown): void
  /** Resolves when all are written. */
  done(): Promise<unknown>
}

export const createTelling = (): Telling => {
  let last: Promise<unknown> = Promise.resolve()
  return {
    add(write) {
      last = last.then(write)
      // Whoever waits for the events gets the failure.
      last.catch(() => undefined)
    },
    done: () => last,
  }
}

/** Ports that write passing events while the next node reads: in their order, and before anything is done or told. */
export const tellMeanwhile = (deps: ButlerDeps, telling: Telling): ButlerDeps =>
  watchPorts(deps, {
    value: (_port, value) => value,
    call({ port, args }, make) {
      if (port === 'tell' && isPassing(args[1])) return Promise.resolve(telling.add(() => make(args)))
      return effects.some(it => it === port) ? telling.done().then(() => make(args)) : make(args)
    },
  })
