/**
 * A map with a maximum size. When it is full, it evicts the entries with the oldest places, as a Map keeps insertion order. It evicts
 * several at once: the oldest key of a Map lies behind all keys that were deleted since, so each search for it takes long.
 *
 * A key that is set again keeps its place until half of the map has been placed after it. Thousands of agents set theirs every
 * second, and a Map with as many deleted keys would be copied all the time.
 */
export const createBounded = <V>(atMost: number) => {
  const entries = new Map<string, { value: V; place: number }>()
  const evictedAtOnce = Math.ceil(atMost / 64)
  let places = 0
  const evict = () => {
    for (const oldest of entries.keys()) {
      entries.delete(oldest)
      if (entries.size <= atMost - evictedAtOnce) return
    }
  }
  return {
    get: (key: string): V | undefined => entries.get(key)?.value,
    set(key: string, value: V) {
      const known = entries.get(key)
      if (known && places - known.place < atMost / 2) {
        known.value = value
        return
      }
      entries.delete(key)
      if (entries.size >= atMost) evict()
      places += 1
      entries.set(key, { value, place: places })
    },
    delete: (key: string): boolean => entries.delete(key),
    clear: () => entries.clear(),
    values: () => [...entries.values()].map(it => it.value),
    entries: () => [...entries].map(([key, { value }]) => [key, value] as const),
  }
}
