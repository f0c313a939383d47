import { EventEmitter } from 'node:events'
import type { Hints } from '../ports.ts'

const everything = Symbol('everything')
/** Away from the names that mean something to an emitter: an `error` that nobody hears would throw. */
const nameOf = (channel: string) => `:${channel}`

/** Wake-ups inside this process. Whoever waits is called once: by a notify, the time, or the abort. */
export const createHints = (): Hints => {
  const bus = new EventEmitter()
  bus.setMaxListeners(0)
  return {
    notify(channel) {
      bus.emit(nameOf(channel))
      bus.emit(everything, channel)
    },
    wait: (channel, timeoutMs, signal) =>
      new Promise(resolve => {
        if (signal?.aborted) return resolve()
        const done = () => {
          clearTimeout(timer)
          bus.off(nameOf(channel), done)
          signal?.removeEventListener('abort', done)
          resolve()
        }
        const timer = setTimeout(done, timeoutMs)
        bus.on(nameOf(channel), done)
        signal?.addEventListener('abort', done, { once: true })
      }),
    on(listener) {
      bus.on(everything, listener)
      return () => bus.off(everything, listener)
    },
  }
}
