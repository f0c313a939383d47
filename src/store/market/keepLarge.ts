/** Number of counted rows from which the result is kept, because counting again would take long. */
const largeRows = 10_000
/** How long the count of a large market is kept, in ms. */
const keptMs = 30_000
/** Maximum number of kept results. The oldest is dropped first. */
const maxKept = 100

/**
 * Keeps the results of counts over many rows for half a minute, in this process. Counts over few rows are never kept.
 * @param rowsOf returns the number of rows that a result was counted from
 * @param large number of rows from which a result is kept
 */
export const keepLarge = <A, T>(
  count: (of: A) => Promise<T>,
  rowsOf: (result: T) => number,
  large = largeRows,
): ((of: A) => Promise<T>) => {
  const kept = new Map<string, { result: T; until: number }>()
  return async of => {
    const key = JSON.stringify(of)
    const known = kept.get(key)
    if (known && performance.now() < known.until) return known.result
    const result = await count(of)
    kept.delete(key)
    if (rowsOf(result) < large) return result
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= maxKept) kept.delete(oldest)
    kept.set(key, { result, until: performance.now() + keptMs })
    return result
  }
}
