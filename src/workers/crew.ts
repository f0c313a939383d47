/** Pieces of work that a worker starts and does not wait for. @param onEnd called after each of them */
export const createCrew = <T>(onEnd?: () => void) => {
  const busy = new Map<Promise<void>, T>()
  const ending = new AbortController()
  let failure: unknown
  return {
    /** What is worked on. @throws the failure of a piece that has ended since the last call */
    busy(): T[] {
      const failed = failure
      failure = undefined
      if (failed !== undefined) throw failed
      return [...busy.values()]
    },
    start(it: T, work: (ending: AbortSignal) => Promise<void>): void {
      const running = work(ending.signal)
        .catch((error: unknown) => {
          failure = error
        })
        .finally(() => {
          busy.delete(running)
          onEnd?.()
        })
      busy.set(running, it)
    },
    /** Tells all pieces to stop, and resolves when they have ended. */
    async settle(): Promise<void> {
      ending.abort()
      await Promise.all(busy.keys())
    },
  }
}
