import { EventEmitter } from 'node:events'
import type { Hints } from '../ports.ts'

const everything = Symbol('everything')

/** Wake-ups inside this process. Whoever waits is called once: by a notify, the time, or the abort. */
export const createHints = (): Hints => {
  const bus = new EventEmitter()
  bus.setMaxListeners(0)
  return {
    notify(channel) {
      bus.emit(channel)
      bus.emit(everything, channel)
    },
    wait: (channel, timeoutMs, signal) =>
      new Promise(resolve => {
        if (signal?.aborted) return resolve()
        const done = () => {
          clearTimeout(timer)
          bus.off(channel, done)
          signal?.removeEventListener('abort', done)
          resolve()
        }
        const timer = setTimeout(done, timeoutMs)
        bus.on(channel, done)
        signal?.addEventListener('abort', done, { once: true })
      }),
    on(listener) {
      bus.on(everything, listener)
      return () => bus.off(everything, listener)
    },
  }
}
