/** A reading that callers share: who asks while it is under way waits for its end, and starts no second one. */
export const createSharedRead = (read: () => Promise<void>) => {
  let reading: Promise<void> | undefined
  return {
    isUnderWay: () => reading !== undefined,
    refresh: () => {
      reading ??= read().finally(() => {
        reading = undefined
      })
      return reading
    },
  }
}
