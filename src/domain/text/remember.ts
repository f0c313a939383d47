/** How much is remembered: results, and the most characters of what a kept result was made from. */
type Most = { results: number; chars: number }

/** A pure function of texts that keeps its newest results. The results are shared, so nobody may change them. */
export const remember = <Given extends readonly (string | number)[], T>(most: Most, make: (...given: Given) => T) => {
  const known = new Map<string, T>()
  return (...given: Given): T => {
    const key = given.join('\n')
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make(...given)
    if (key.length > most.chars) return made
    const [oldest] = known.size < most.results ? [] : known.keys()
    if (oldest !== undefined) known.delete(oldest)
    known.set(key, made)
    return made
  }
}
