import { AsyncLocalStorage } from 'node:async_hooks'

/** A running task of the simulated process: a worker's step, a client's request or the start. */
export type Task = {
  name: string
  kind: 'client' | 'worker' | 'start'
  /** Number of faults in its calls. */
  faults: number
  /** Like a stopped process: its timers do not fire. */
  isFrozen: boolean
  isDone: boolean
  /** Resolves when it has ended in any way. */
  done: Promise<void>
}

const inside = new AsyncLocalStorage<Task>()

/** The task to which the running code belongs. */
export const currentTask = (): Task | undefined => inside.getStore()

/** Runs code as part of a task, whoever calls it. */
export const asTask = <T>(task: Task | undefined, work: () => T): T => (task ? inside.run(task, work) : work())

/** Starts a task. Its result is passed to `end`, even long after others have continued. */
export const startTask = (
  name: string,
  kind: Task['kind'],
  { work, failed }: { work: () => Promise<unknown>; failed: (error: unknown) => void },
): Task => {
  const task: Task = {
    name,
    kind,
    faults: 0,
    isFrozen: false,
    isDone: false,
    done: Promise.resolve(),
  }
  task.done = inside
    .run(task, async () => work())
    .then(() => undefined, failed)
    .finally(() => {
      task.isDone = true
    })
  return task
}

let activity = 0

/** Called whenever a port is entered or left. */
export const noteActivity = () => {
  activity += 1
}

/** Turns of the event loop without a port call after which nothing more happens by itself. */
const stillTurns = 3

/** Waits until no task can continue. */
export const settle = async () => {
  for (let still = 0; still < stillTurns; ) {
    const before = activity
    await new Promise(resolve => setImmediate(resolve))
    still = activity === before ? still + 1 : 0
  }
}
