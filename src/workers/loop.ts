import type { Hints } from '../ports.ts'

export type Worker = {
  name: string
  /** The hint that there may be work. */
  channel: string
  /** Looks without a hint at least this often, in ms. */
  idleMs: number
  /** Does what is there; true when there may be more. */
  runOnce(): Promise<boolean>
  /** Resolves when everything that runOnce started has ended. */
  settle?(): Promise<void>
}

type LoopDeps = { hints: Hints; onError(worker: string, error: unknown): void }

/** After a failure nothing is known of the outside: look again, but not in a spin. */
const pauseAfterErrorMs = 500

/** Runs a worker until the signal aborts; the promise ends when its last step has. */
export const loop = async (worker: Worker, { hints, onError }: LoopDeps, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const woken = hints.wait(worker.channel, worker.idleMs, signal)
    const more = await worker.runOnce().catch(async (error: unknown) => {
      onError(worker.name, error)
      await hints.wait('', pauseAfterErrorMs, signal)
      return false
    })
    if (!more) await woken
  }
  await worker.settle?.()
}
