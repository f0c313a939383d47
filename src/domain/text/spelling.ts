/** Letters per allowed edit. In short words an edit too easily makes another word. */
const lettersAnEdit = 5
const maxEdits = 2

export const editsOf = (word: string): number => Math.min(maxEdits, Math.floor(word.length / lettersAnEdit))

/** Swapped letters are the most reliable sign of a typing error, because few words differ only by them. */
const swapCost = 0.5

/**
 * Edit distance of two words: deletions, insertions, replacements, and swaps of adjacent letters at half the cost (optimal
 * string alignment after Damerau and Levenshtein). Infinity above `most`.
 */
export const distance = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return Number.POSITIVE_INFINITY
  let [older, old, row]: [number[], number[], number[]] = [[], [], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i += 1) {
    ;[older, old, row] = [old, row, [i]]
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const plain = Math.min((old[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (old[j - 1] ?? 0) + (isSame ? 0 : 1))
      row[j] = isSwapped ? Math.min(plain, (older[j - 2] ?? 0) + swapCost) : plain
    }
    if (Math.min(...old, ...row) > most) return Number.POSITIVE_INFINITY
  }
  const edits = row[b.length] ?? 0
  return edits > most ? Number.POSITIVE_INFINITY : edits
}

/** Longer texts are not words, and comparing them takes quadratic time. */
export const longestWord = 32

/**
 * Corrects a lower-case word to the nearest known one; unchanged when none is near, or two are equally near. A known word with
 * a suffix is another word: "Germany" is not a misspelt "German".
 */
export const respell = (word: string, known: readonly string[]): string => {
  if (known.includes(word) || word.length > longestWord) return word
  const most = editsOf(word)
  const near = known
    .filter(it => it.charAt(0) === word.charAt(0) && !word.startsWith(it))
    .map(it => ({ it, edits: distance(word, it, most) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits)
  const [best, second] = near
  return best && best.edits !== second?.edits ? best.it : word
}
