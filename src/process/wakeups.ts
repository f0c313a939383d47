import { EventEmitter } from 'node:events'
import { everyChannel } from '../domain/net/channels.ts'
import type { Wakeups } from '../ports.ts'

const everything = Symbol('everything')
/** Prefixes the channel, because an EventEmitter throws on an `error` event without a listener. */
const nameOf = (channel: string) => `:${channel}`

/**
 * Creates wake-ups for this process, from its own notifications and those of other processes. A wait ends at a notification, at
 * its timeout or on abort.
 */
export const createWakeups = (): Wakeups => {
  const bus = new EventEmitter()
  bus.setMaxListeners(0)
  return {
    notify(channel, events) {
      if (channel === everyChannel) for (const name of bus.eventNames()) if (typeof name === 'string') bus.emit(name)
      bus.emit(nameOf(channel))
      bus.emit(everything, channel, events)
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
