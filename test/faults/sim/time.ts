import type { Clock, Wakeups } from '../../../src/ports.ts'
import { currentTask } from './tasks.ts'

type Waiting = { until: number; wake(): void; isFrozen(): boolean }

/** The clock of a simulation. Only the simulation advances it. */
export type Time = {
  /** Simulated time in epoch ms, which block times and deadlines use. */
  now(): number
  /** The machine's clock, which may be wrong. */
  clock: Clock
  advance(ms: number): void
  /** Changes the machine's clock, but not simulated time. */
  jump(ms: number): void
  /** The wake-ups of one process, which end with it. */
  createWakeups(): Wakeups & { forget(): void }
  /** Channels that were notified since the last check. */
  told: Set<string>
}

const start = Date.UTC(2026, 0, 5)

export const createTime = (): Time => {
  let now = start
  let aheadMs = 0
  const waiting = new Set<Waiting>()
  const told = new Set<string>()

  const createWakeups = () => {
    const own = new Map<Waiting, string>()
    const listeners = new Set<(channel: string) => void>()
    return {
      notify(channel: string) {
        told.add(channel)
        for (const [it, at] of own) if (at === channel && !it.isFrozen()) it.wake()
        for (const listener of listeners) listener(channel)
      },
      wait: (channel: string, timeoutMs: number, signal?: AbortSignal) =>
        new Promise<void>(resolve => {
          const task = currentTask()
          const it: Waiting = {
            until: now + timeoutMs,
            isFrozen: () => task?.isFrozen === true,
            wake: () => {
              waiting.delete(it)
              own.delete(it)
              resolve()
            },
          }
          if (signal?.aborted || timeoutMs <= 0) return resolve()
          waiting.add(it)
          own.set(it, channel)
          signal?.addEventListener('abort', it.wake, { once: true })
        }),
      on(listener: (channel: string) => void) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      forget() {
        for (const it of own.keys()) waiting.delete(it)
        own.clear()
        listeners.clear()
      },
    }
  }

  return {
    now: () => now,
    clock: { now: () => now + aheadMs },
    advance(ms) {
      now += ms
      for (const it of [...waiting]) if (it.until <= now && !it.isFrozen()) it.wake()
    },
    jump(ms) {
      aheadMs += ms
    },
    createWakeups,
    told,
  }
}
