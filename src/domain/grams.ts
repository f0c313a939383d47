/** Four letters: three find chance likeness, five miss a typo in a word of six. */
const gramChars = 4

/** The runs of four characters of a word with its ends marked; a short word is one run. */
export const toGrams = (word: string): string[] => {
  const marked = `_${word}_`
  if (marked.length <= gramChars) return [marked]
  return Array.from({ length: marked.length - gramChars + 1 }, (_, at) => marked.slice(at, at + gramChars))
}
