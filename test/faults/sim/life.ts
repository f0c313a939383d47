import type { Task } from './tasks.ts'
import type { Time } from './time.ts'

export type Death = 'killed' | 'power lost' | 'stopped'

/** One life of the simulated process. What is asked of it after its end is never answered. */
export type Life = {
  readonly isOver: boolean
  readonly how: Death | undefined
  over: Promise<void>
  end(how: Death): void
  /** Tasks whose call is under way while others go on. */
  parked: Parked[]
  /** Resolves when the simulation lets the task go on. */
  park(task: Task, ms: number): Promise<void>
  /** The same for a task whose timers stand still too. */
  freeze(task: Task): Promise<void>
}

export type Parked = { task: Task; from: number; release(): void }

/** Longer than any hold of a run or an outbox row. */
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
