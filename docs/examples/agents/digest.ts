const wordsOf = new Intl.Segmenter('en', { granularity: 'word' })
const sentencesOf = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Frequent words that reveal nothing about a text's subject. */
const common = new Set(
  `a about above after again against all also am an and any are as at be because been before being below between both but by
  can could did do does doing down during each even few for from further had has have having he her here hers him his how i if
  in into is it its itself just like may me might more most much must my no nor not now of off on once one only or other our
  out over own same shall she should so some such than that the their them then there these they this those through to too
  under until up upon us very was we were what when where which while who whom whose why will with within would you your`.split(
    /\s+/,
  ),
)

/** Splits a text into lower-case words, also in scripts without spaces. */
export const toWords = (text: string): string[] =>
  [...wordsOf.segment(text.toLowerCase())].filter(it => it.isWordLike).map(it => it.segment)

/** Splits a text into sentences, unchanged except for surrounding whitespace. A single line break does not end a sentence. */
export const toSentences = (text: string): string[] => {
  // Each line break is replaced by as many spaces, so that positions stay the same.
  const flat = text.replace(/(?<![\r\n])\r?\n(?![\r\n])/g, found => ' '.repeat(found.length))
  return [...sentencesOf.segment(flat)]
    .map(({ index, segment }) => text.slice(index, index + segment.length).trim())
    .filter(sentence => toWords(sentence).length > 0)
}

const countSubjects = (words: string[]): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const word of words) if (!common.has(word) && /\p{L}{2}/u.test(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Returns the sentences with the most frequent words, in the order of the text. @param most maximum number of sentences */
export const summarize = (text: string, most: number): string[] => {
  const counts = countSubjects(toWords(text))
  const scored = toSentences(text).map((sentence, place) => {
    const words = toWords(sentence)
    const weight = words.reduce((sum, word) => sum + (counts.get(word) ?? 0), 0)
    // The square root of the length keeps long and short sentences comparable.
    return { sentence, place, score: weight / Math.sqrt(words.length) }
  })
  return scored
    .toSorted((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, most)
    .toSorted((a, b) => a.place - b.place)
    .map(it => it.sentence)
}

/** Returns the most frequent content words; among equals, those that occur first. @param most maximum number of words */
export const extractKeywords = (text: string, most: number): string[] =>
  [...countSubjects(toWords(text))]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([word]) => word)
