/** Rejections that are not handled yet, by promise. */
const strays = new Map<Promise<unknown>, string>()

const note = (error: unknown, promise: Promise<unknown>) => void strays.set(promise, String(error))
const forget = (promise: Promise<unknown>) => void strays.delete(promise)

/**
 * Records unhandled rejections instead of ending this process.
 * @returns a function that restores the original behaviour
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

/** Rejections that are still unhandled. */
export const takeStrays = (): string[] => {
  const left = [...strays.values()]
  strays.clear()
  return left
}
