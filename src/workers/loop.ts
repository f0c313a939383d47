import type { Wakeups } from '../ports.ts'

export type Worker = {
  name: string
  /** The channel that wakes this worker. */
  channel: string
  /** Longest time between two steps without a wake-up, in ms. */
  idleMs: number
  /** Shortest time between the starts of two steps in ms, so that a step does what several wake-ups asked for; default: 0. */
  restMs?: number
  /** Does one step of work; true when there may be more. */
  runOnce(): Promise<boolean>
  /** Resolves when everything that runOnce started has ended. */
  settle?(): Promise<void>
}

type LoopDeps = {
  wakeups: Wakeups
  onError(worker: string, error: unknown): void
  /** Called after each step that did not fail, with its duration in ms. */
  onStep?(worker: string, ms: number): void
}

/** Pause after a failed step, in ms, so that a persistent failure does not become a busy loop. */
const pauseAfterErrorMs = 500

/** Runs a worker until the signal aborts. Resolves when its last step has ended. */
export const loop = async (worker: Worker, { wakeups, onError, onStep }: LoopDeps, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const woken = wakeups.wait(worker.channel, worker.idleMs, signal)
    const rested = worker.restMs && wakeups.wait('', worker.restMs, signal)
    const begunAt = performance.now()
    const more = await worker.runOnce().catch(async (error: unknown) => {
      onError(worker.name, error)
      await wakeups.wait('', pauseAfterErrorMs, signal)
      return undefined
    })
    if (more !== undefined) onStep?.(worker.name, performance.now() - begunAt)
    if (!more) await Promise.all([woken, rested])
  }
  await worker.settle?.()
}
