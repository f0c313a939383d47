import { AsyncLocalStorage } from 'node:async_hooks'

/** One thing under way in the simulated process: a worker's step, a client's request, the start. */
export type Task = {
  name: string
  kind: 'client' | 'worker' | 'start'
  /** Faults that it was dealt. */
  faults: number
  /** As a stopped process: its timers do not fire either. */
  isFrozen: boolean
  isDone: boolean
  /** Resolves when it has ended, however. */
  done: Promise<void>
}

const inside = new AsyncLocalStorage<Task>()

/** The task on whose behalf this line runs. */
export const currentTask = (): Task | undefined => inside.getStore()

/** Runs a line on behalf of the task that asked for it, whoever calls it. */
export const asTask = <T>(task: Task | undefined, work: () => T): T => (task ? inside.run(task, work) : work())

/** Starts a task; what it comes to is told to `end`, also long after others have gone on. */
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

/** Called wherever a port is entered or left. */
export const noteActivity = () => {
  activity += 1
}

/** Turns of the event loop without a call of a port after which nothing more is coming by itself. */
const stillTurns = 3

/** Lets everything that can go on go on. */
export const settle = async () => {
  for (let still = 0; still < stillTurns; ) {
    const before = activity
    await new Promise(resolve => setImmediate(resolve))
    still = activity === before ? still + 1 : 0
  }
}
