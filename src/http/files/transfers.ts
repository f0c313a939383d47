import { limits } from '../../domain/limits.ts'
import { Problem } from '../../domain/problem.ts'
import type { Caller } from '../../operations/operation.ts'

/** Counts uploads and downloads under way, each of which holds a connection, an open file and memory. */
export const createTransfers = () => {
  const underWay = new Map<string, number>()
  let all = 0
  /**
   * Begins a transfer. The result ends it, and may be called again.
   * @throws Problem busy when too many are under way
   */
  return ({ wallet, agentKey, source }: Caller): (() => void) => {
    const key = wallet ?? agentKey ?? source ?? ''
    const own = underWay.get(key) ?? 0
    if (own >= limits.fileTransfersOfOne || all >= limits.fileTransfers)
      throw new Problem('busy', `At most ${limits.fileTransfersOfOne} files of one user are on their way at once; try again.`)
    underWay.set(key, own + 1)
    all += 1
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      all -= 1
      const left = (underWay.get(key) ?? 1) - 1
      if (left > 0) underWay.set(key, left)
      else underWay.delete(key)
    }
  }
}
