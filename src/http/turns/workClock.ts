const activeMs = (): number => performance.eventLoopUtilization().active

/**
 * Measures the event loop time of requests. The time during which several are in progress is divided among them, because the
 * event loop does not say for which one it works.
 */
export const createWorkClock = () => {
  let inProgress = 0
  let readAt = activeMs()
  let ofEach = 0
  const read = () => {
    const now = activeMs()
    ofEach += (now - readAt) / Math.max(1, inProgress)
    readAt = now
    return ofEach
  }
  return {
    /** Begins a request. The returned function ends it and returns its time in ms. */
    begin: (): (() => number) => {
      const before = read()
      inProgress += 1
      return () => {
        const spent = read() - before
        inProgress -= 1
        return spent
      }
    },
  }
}
export type WorkClock = ReturnType<typeof createWorkClock>
