/** A map that holds so many entries: the one set longest ago goes first. A Map keeps its order of insertion. */
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
  }
}
