import { remember } from '../../domain/text/remember.ts'

/**
 * English suffix stripping after M. F. Porter, "An algorithm for suffix stripping" (1980), so that `translating`, `translation`
 * and `translate` become one term.
 */

const consonant = '(?:[^aeiouy]|(?<![^aeiou])y|^y)'
const vowel = '(?:[aeiou]|(?<=[^aeiou])y)'
const sequence = (count: number) => new RegExp(`^${consonant}*(?:${vowel}+${consonant}+){${count},}`)
/** Porter's measure: whether a stem has at least that many vowel-consonant sequences. */
const above0 = sequence(1)
const above1 = sequence(2)
const exactly1 = new RegExp(`^${consonant}*${vowel}+${consonant}+${vowel}*$`)
const hasVowel = new RegExp(vowel)
const endsShort = new RegExp(`${consonant}${vowel}[^aeiouwxy]$`)
const endsDouble = /([^aeiouylsz])\1$/

type Rule = [suffix: string, replacement: string]
const step2: Rule[] = Object.entries({
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  abli: 'able',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
})
const step3: Rule[] = Object.entries({ icate: 'ic', ative: '', alize: 'al', iciti: 'ic', ical: 'ic', ful: '', ness: '' })
const step4 = /(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|(?<=[st])ion|ou|ism|ate|iti|ous|ive|ize)$/

const replaceBy = (rules: Rule[], word: string): string => {
  const rule = rules.find(([suffix]) => word.endsWith(suffix))
  if (!rule) return word
  const root = word.slice(0, -rule[0].length)
  return above0.test(root) ? root + rule[1] : word
}

const plural = (word: string) =>
  word
    .replace(/sses$/, 'ss')
    .replace(/ies$/, 'i')
    .replace(/([^s])s$/, '$1')

const tense = (word: string): string => {
  if (word.endsWith('eed')) return above0.test(word.slice(0, -3)) ? word.slice(0, -1) : word
  const root = word.replace(/(ed|ing)$/, '')
  if (root === word || !hasVowel.test(root)) return word
  if (/(at|bl|iz)$/.test(root)) return `${root}e`
  if (endsDouble.test(root)) return root.slice(0, -1)
  return exactly1.test(root) && endsShort.test(root) ? `${root}e` : root
}

const bare = (word: string): string => {
  const root = word.replace(step4, '')
  const short = root !== word && above1.test(root) ? root : word
  const withoutE = short.slice(0, -1)
  if (!short.endsWith('e')) return short.endsWith('ll') && above1.test(short) ? withoutE : short
  return above1.test(withoutE) || (above0.test(withoutE) && !endsShort.test(withoutE)) ? withoutE : short
}

/** The stem of a lower-case word. Words with other than English letters stay unchanged. */
export const stem = remember({ results: 20_000, chars: 30 }, (word: string): string => {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word
  const singular = tense(plural(word))
  const withI = /y$/.test(singular) && hasVowel.test(singular.slice(0, -1)) ? `${singular.slice(0, -1)}i` : singular
  return bare(replaceBy(step3, replaceBy(step2, withI)))
})
