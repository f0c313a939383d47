/** Edits that a word of so many letters may be away from what was meant: a short word is too soon another one. */
const lettersAnEdit = 5
const mostEdits = 2

/** How many edits a misspelt word may have. */
export const editsOf = (word: string): number => Math.min(mostEdits, Math.floor(word.length / lettersAnEdit))

/** Two letters in the wrong order are the surest slip: few words differ so from another. */
const swapCost = 0.5

/**
 * Edits that make one word of another: letters left out, added, replaced, or, at half the cost, swapped with the next (optimal
 * string alignment after Damerau and Levenshtein); Infinity when it takes more than `most`.
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

/** Longer words are no words, and comparing them would cost time by the square of their length. */
export const longestWord = 32

/**
 * A lower-case word as one of some known ones that it is misspelt from; as it is when none is near, or two are equally so. What only goes on
 * behind a known word is another word: "Germany" is no misspelt "German".
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
