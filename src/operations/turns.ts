import { Problem } from '../domain/problem.ts'

/** Limits concurrent work per key, in the order of arrival, so that no key delays the others. */
export type Turns = {
  /**
   * Waits for a free slot of the key, then runs the work.
   * @throws Problem busy when too many calls are waiting, or when the signal aborts first
   */
  take<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>
}

type Line = { underWay: number; waiting: (() => void)[] }

/** @param bounds `atOnce`: maximum concurrent work per key; `waiting`: maximum number of waiting calls of all keys */
export const createTurns = (bounds: { atOnce: number; waiting: number }): Turns => {
  const lines = new Map<string, Line>()
  let waitingOfAll = 0

  const wait = (line: Line, signal: AbortSignal) => {
    if (waitingOfAll >= bounds.waiting) throw new Problem('busy', 'Too many requests of this kind are waiting; try again.')
    waitingOfAll += 1
    return new Promise<void>((resolve, reject) => {
      const leave = () => {
        line.waiting = line.waiting.filter(it => it !== enter)
        waitingOfAll -= 1
        reject(new Problem('busy', 'Other requests of this kind are in progress; try again.'))
      }
      const enter = () => {
        signal.removeEventListener('abort', leave)
        waitingOfAll -= 1
        resolve()
      }
      line.waiting.push(enter)
      signal.addEventListener('abort', leave, { once: true })
    })
  }
  const pass = (key: string, line: Line) => {
    const next = line.waiting.shift()
    // The place passes directly to the next waiting call, so that a new call cannot overtake it.
    if (next) return next()
    line.underWay -= 1
    if (line.underWay === 0) lines.delete(key)
  }

  return {
    async take(key, signal, work) {
      const line = lines.get(key) ?? { underWay: 0, waiting: [] }
      if (line.underWay >= bounds.atOnce) await wait(line, signal)
      else {
        line.underWay += 1
        lines.set(key, line)
      }
      try {
        return await work()
      } finally {
        pass(key, line)
      }
    },
  }
}
