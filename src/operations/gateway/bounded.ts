/** A map with a maximum size. It evicts the entry set longest ago, as a Map keeps insertion order. */
export const createBounded = <V>(atMost: number) => {
  const entries = new Map<string, V>()
  return {
    get: (key: string): V | undefined => entries.get(key),
    set(key: string, value: V) {
      entries.delete(key)
      const [oldest] = entries.keys()
      if (entries.size >= atMost && oldest !== undefined) entries.delete(oldest)
      entries.set(key, value)
    },
    delete: (key: string): boolean => entries.delete(key),
    clear: () => entries.clear(),
    values: () => [...entries.values()],
    entries: () => [...entries],
  }
}
