/**
 * A map with a maximum size. When it is full, it evicts the entries set longest ago, as a Map keeps insertion order. It evicts
 * several at once: the oldest key of a Map lies behind all keys that were deleted since, so each search for it takes long.
 */
export const createBounded = <V>(atMost: number) => {
  const entries = new Map<string, V>()
  const evictedAtOnce = Math.ceil(atMost / 64)
  const evict = () => {
    for (const oldest of entries.keys()) {
      entries.delete(oldest)
      if (entries.size <= atMost - evictedAtOnce) return
    }
  }
  return {
    get: (key: string): V | undefined => entries.get(key),
    set(key: string, value: V) {
      entries.delete(key)
      if (entries.size >= atMost) evict()
      entries.set(key, value)
    },
    delete: (key: string): boolean => entries.delete(key),
    clear: () => entries.clear(),
    values: () => [...entries.values()],
    entries: () => [...entries],
  }
}
