/** Pieces of work that a worker starts and does not wait for. @param onEnd called after each of them */
export const createCrew = <T>(onEnd?: () => void) => {
  const busy = new Map<Promise<void>, T>()
  const failures: unknown[] = []
  const ending = new AbortController()
  return {
    /** What is worked on. */
    busy: (): T[] => [...busy.values()],
    start(it: T, work: (ending: AbortSignal) => Promise<void>): void {
      const running = work(ending.signal)
        .catch((error: unknown) => {
          failures.push(error)
        })
        .finally(() => {
          busy.delete(running)
          onEnd?.()
        })
      busy.set(running, it)
    },
    /**
     * Reports the pieces that failed. A step calls it after it has started all due pieces, so that one failure delays no other.
     * @throws what failed since the last call
     */
    check(): void {
      const found = failures.splice(0)
      if (found.length > 1) throw new AggregateError(found, found.map(String).join('; '))
      if (found.length === 1) throw found[0]
    },
    /** Tells all pieces to stop, and resolves when they have ended. */
    async settle(): Promise<void> {
      ending.abort()
      await Promise.all(busy.keys())
    },
  }
}
