/**
 * Characters per n-gram. With three, unrelated words match by chance; with five, a typo in a word of six letters is not found.
 */
const gramChars = 4

/** The n-grams of a word with marked ends. A short word is a single n-gram. */
export const toGrams = (word: string): string[] => {
  const marked = `_${word}_`
  if (marked.length <= gramChars) return [marked]
  return Array.from({ length: marked.length - gramChars + 1 }, (_, at) => marked.slice(at, at + gramChars))
}
