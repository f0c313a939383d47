import { isObject } from '../../src/domain/json.ts'
import type { ButlerDeps } from './deps.ts'
import { effects } from './effects.ts'

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

/** Records what was said, which nobody is told. */
const isRecord = (name: string | symbol) => name === 'agreeByWords'

/** Ports that write passing events while the next node reads: in their order, and before anything is done or told. */
export const tellMeanwhile = (deps: ButlerDeps, telling: Telling): ButlerDeps =>
  new Proxy(deps, {
    get(target, name, receiver) {
      const port: unknown = Reflect.get(target, name, receiver)
      if (typeof port !== 'function' || isRecord(name) || !effects.some(it => it === name)) return port
      return (...args: unknown[]) => {
        const call = () => Reflect.apply(port, target, args)
        return name === 'tell' && isPassing(args[1]) ? Promise.resolve(telling.add(call)) : telling.done().then(call)
      }
    },
  })
