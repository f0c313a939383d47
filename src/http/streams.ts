import { Problem } from '../domain/problem.ts'
import type { Caller } from '../operations/operation.ts'

/** The event streams that are open: a bounded number of each user or network address, and of all together. */
export const createStreams = ({ ofOne, ofAll }: { ofOne: number; ofAll: number }) => {
  const openByCaller = new Map<string, number>()
  let open = 0
  const count = (key: string | undefined, by: 1 | -1) => {
    open += by
    if (key === undefined) return
    const left = (openByCaller.get(key) ?? 0) + by
    if (left > 0) openByCaller.set(key, left)
    else openByCaller.delete(key)
  }
  return {
    /**
     * Opens one more, and says how it is given back; giving back twice is giving back once.
     * @throws Problem too-many-streams
     */
    enter: ({ wallet, source }: Pick<Caller, 'wallet' | 'source'>): (() => void) => {
      const key = wallet ?? source
      if (open >= ofAll) throw new Problem('too-many-streams', 'All streams are taken. Read the events as a list meanwhile.')
      if (key !== undefined && (openByCaller.get(key) ?? 0) >= ofOne)
        throw new Problem('too-many-streams', `At most ${ofOne} streams are open for one user. Close one.`)
      count(key, 1)
      let isOpen = true
      return () => {
        if (isOpen) count(key, -1)
        isOpen = false
      }
    },
    open: () => open,
  }
}
export type Streams = ReturnType<typeof createStreams>
