import { limits } from '../../domain/limits.ts'
import { claimOf, isStartable, linesOf, type Path, pick } from './claims.ts'

type Waiting<Turn> = { path: Path; start(turn: Turn | undefined): void }

/** The requests that wait for a turn, each at most `waitMs`. */
export const createWaitingRoom = <Turn>({ waitMs }: { waitMs: number }) => {
  const waiting = new Set<Waiting<Turn>>()

  const leave = (it: Waiting<Turn>) => {
    waiting.delete(it)
    for (const line of linesOf(it.path)) line.waiting -= 1
  }

  return {
    isEmpty: () => waiting.size === 0,

    /** Resolves with the turn that the request is given; with undefined when it must leave, or waits too long. */
    wait: (path: Path): Promise<Turn | undefined> =>
      new Promise(resolve => {
        const timer = setTimeout(() => {
          leave(it)
          resolve(undefined)
        }, waitMs)
        const it: Waiting<Turn> = {
          path,
          start: turn => {
            clearTimeout(timer)
            resolve(turn)
          },
        }
        waiting.add(it)
        for (const line of linesOf(path)) line.waiting += 1
      }),

    /** Takes out the request with the best claim among those that can begin now. */
    takeNext(): Waiting<Turn> | undefined {
      const now = performance.now()
      const next = pick(waiting, it => (isStartable(it.path, now) ? claimOf(it.path, now) : undefined))
      if (next) leave(next)
      return next
    },

    /** Makes room for a request with a better claim: the one with the worst claim is refused. */
    makeRoom(path: Path): boolean {
      if (waiting.size < limits.waitingRequests) return true
      const now = performance.now()
      const worst = pick(waiting, it => -claimOf(it.path, now))
      if (!worst || claimOf(worst.path, now) >= claimOf(path, now)) return false
      leave(worst)
      worst.start(undefined)
      return true
    },
  }
}
