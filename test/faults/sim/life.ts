import type { Task } from './tasks.ts'
import type { Time } from './time.ts'

export type Death = 'killed' | 'power lost' | 'stopped'

/** One simulated process. Calls after its end never resolve. */
export type Life = {
  readonly isOver: boolean
  readonly how: Death | undefined
  over: Promise<void>
  end(how: Death): void
  /** Tasks that wait inside a call while others run. */
  parked: Parked[]
  /** Resolves when the simulation resumes the task. */
  park(task: Task, ms: number): Promise<void>
  /** As `park`, and the task's timers stop too. */
  freeze(task: Task): Promise<void>
}

export type Parked = { task: Task; from: number; release(): void }

/** Longer than any lease of a run or an outbox row, in ms. */
const frozenMs = 90_000

export const startLife = (time: Time): Life => {
  let how: Death | undefined
  let tell = () => {}
  const parked: Parked[] = []
  const over = new Promise<void>(resolve => {
    tell = resolve
  })

  const park = (task: Task, ms: number) =>
    new Promise<void>(resolve => {
      const it = {
        task,
        from: time.now() + ms,
        release() {
          parked.splice(parked.indexOf(it), 1)
          task.isFrozen = false
          resolve()
        },
      }
      parked.push(it)
    })

  return {
    get isOver() {
      return how !== undefined
    },
    get how() {
      return how
    },
    over,
    end(death) {
      how ??= death
      tell()
    },
    parked,
    park,
    freeze(task) {
      task.isFrozen = true
      return park(task, frozenMs)
    },
  }
}
