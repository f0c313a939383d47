// Degrees of adjectives: "larger" and "largest" are degrees of "large".

const endings = { more: 'er', most: 'est' }

/** Whether a word is a degree of another one, as English forms it: large, larger; big, bigger; easy, easier. */
export const isDegreeOf = (said: string, word: string, degree: keyof typeof endings): boolean => {
  const end = endings[degree]
  const stems = [word, word.replace(/e$/, ''), word.replace(/y$/, 'i'), `${word}${word.at(-1)}`]
  return word.length > 2 && stems.some(it => said === `${it}${end}`)
}
