/** Rejections that nobody has waited for yet, by their promise. */
const strays = new Map<Promise<unknown>, string>()

const note = (error: unknown, promise: Promise<unknown>) => void strays.set(promise, String(error))
const forget = (promise: Promise<unknown>) => void strays.delete(promise)

/**
 * Counts rejections that nobody waits for, instead of whatever this process would do about them.
 * @returns a function that puts everything back
 */
export const catchStrays = (): (() => void) => {
  const before = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', note)
  process.on('rejectionHandled', forget)
  return () => {
    process.off('rejectionHandled', forget)
    process.removeAllListeners('unhandledRejection')
    for (const listener of before) process.on('unhandledRejection', listener)
  }
}

/** Those that are still not waited for. */
export const takeStrays = (): string[] => {
  const left = [...strays.values()]
  strays.clear()
  return left
}
