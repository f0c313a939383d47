import { findDates } from '../forms/dates.ts'
import { findTimes } from '../forms/times.ts'
import { numeral } from '../words/numerals.ts'
import { isDeed, isEmpty } from '../words/vocabulary.ts'

// Reads how people correct themselves within a sentence. The value after the correction takes the place of the one before it
// that has the same form.

/** Phrases with which a user corrects the words before them, as alternatives of a pattern. */
export const correctionPhrases =
  'no,? wait|wait,? no|no,? sorry|sorry,? no|sorry,? i mean(?:t)?|i mean(?:t)?|scratch that|actually|or rather'

/** Words that correct a value of a form. Of other words, they may begin a wish: "make it short". */
const weak =
  "(?:(?:no|wait|sorry|oops|oh)[,.]? )*(?:make (?:that|it)|let[’']?s (?:say|make it)|rather|better|actually|sorry|wait|correction|(?<no>no)(?=,)|(?<bare>no)(?! (?:one|more)(?!\\p{L})))"
const separator = String.raw`\s?(?:[,;…–—-]|\.{2,3}|[.!](?=\s))\s{0,3}`
/** What is said aloud has no commas: "three kilos no wait four". */
const plain = 'no wait|wait no|no sorry|sorry i mean|i mean|scratch that|or rather'
const marker = new RegExp(
  String.raw`(?:${separator}(?:(?<strong>(?:oh |oops,? )?(?:${correctionPhrases})(?:,? (?:make (?:that|it)|i mean(?:t)?))?)|${weak})|(?<=[\p{L}\p{N}])\s(?:${plain}|(?<said>sorry)))[,:.]?\s{1,3}(?=\S)`,
  'giu',
)
const clauseChars = 100
const mostCorrections = 6

type Part = { from: number; to: number }
type Finder = (text: string, now: number) => Part[]
const byPattern =
  (pattern: RegExp): Finder =>
  text =>
    [...text.matchAll(pattern)].map(it => ({ from: it.index, to: it.index + it[0].length }))
const spansOf = (found: readonly { from: number; length: number }[]): Part[] =>
  found.map(({ from, length }) => ({ from, to: from + length }))

/** Values by form, the narrowest first. A number inside a date is none. */
const forms: Finder[] = [
  text => spansOf(findTimes(text)),
  (text, now) => spansOf(findDates(text, now)),
  byPattern(new RegExp(String.raw`(?<![\p{L}\p{N}.,:/-])${numeral}(?![\p{L}\p{N}:/-])`, 'giu')),
  byPattern(/(?<=\S\s)(?!I\b)\p{Lu}[\p{L}\p{M}’'-]+(?: \p{Lu}[\p{L}\p{M}’'-]+){0,3}/gu),
]

/** What is corrected. `said`: the length of the value behind the correction, where its form tells it. */
type Old = Part & { said?: number }

/** A name is told from other words by what stands before it, so a word is put there. */
const frame = 'to '
/** The last value before a correction that has the form of the value behind it. */
const sameForm = (before: string, after: string, now: number): Old | undefined => {
  for (const find of forms) {
    const it = find(`${frame}${after}`, now).find(({ from, to }) => from <= frame.length && to > frame.length)
    const old = it && find(before, now).at(-1)
    if (it) return old && { ...old, said: it.to - frame.length }
  }
  return undefined
}

const leading = /^(?:to|from|in|on|at|for|with|by|into|an?|the|my|our)(?= )/i
/** The last phrase before a correction that begins with the word of the one behind it: "to Lyon, I mean to Dijon". */
const samePhrase = (before: string, after: string): Old | undefined => {
  const [word] = leading.exec(after) ?? []
  if (word === undefined) return undefined
  const last = [...before.matchAll(new RegExp(String.raw`(?<![\p{L}\p{N}])${word} `, 'giu'))].at(-1)
  return last && { from: last.index, to: before.length }
}

const startChars = 40
/** A message that begins anew: "sonnet… no, a limerick", "Write to Ann. No, wait, write to Ben". */
const sameStart = (before: string, after: string): Old | undefined => {
  const isWhole = before.length <= startChars && !/[.,;:!?]/.test(before)
  const [, word = ''] = /^(\p{L}+)/u.exec(after) ?? []
  return isWhole && (/^an?$/i.test(word) || isDeed(word)) ? { from: 0, to: before.length } : undefined
}

const lastWord = /(?<![\p{L}\p{N}])(?<word>[\p{L}\p{M}’'-]{3,})$/u
const sameWord = (before: string): Old | undefined => {
  const { index, groups = {} } = lastWord.exec(before) ?? {}
  return index === undefined || isEmpty((groups.word ?? '').toLowerCase()) ? undefined : { from: index, to: before.length }
}

const denied =
  /(?<![\p{L}'’])(?<!\b(?:do|does|did|is|are|am|was|were|can|could|will|would|should|must|have|has|had|or|if|why|whether|better|please) )not (?:(?:an?|the|in|on|for|at|to|from) )?[\p{L}\p{N}'’-]+(?: [\p{L}\p{N}'’-]+){0,2}?(?:\s*[—–]\s*|\s-\s|,? but (?:rather )?|,? rather )(?=[\p{L}\p{N}])/giu

/** Removes what the user corrected in the same message, with the words of the correction. @param now ms since 1970 */
export const withoutCorrected = (said: string, now: number): string => {
  let text = said.replace(denied, '')
  for (let at = 0, count = 0; count < mostCorrections; count += 1) {
    marker.lastIndex = at
    const found = marker.exec(text)
    if (!found) break
    const end = found.index + found[0].length
    const start = Math.max(0, found.index - clauseChars)
    const [before, after] = [text.slice(start, found.index), text.slice(end, end + clauseChars)]
    const { strong, no, bare, said: unmarked } = found.groups ?? {}
    const alike = sameForm(before, after, now)
    // "5, no 6" corrects the value that stands directly before it, and nothing else.
    const isBeside = bare || unmarked
    const old =
      (isBeside ? undefined : samePhrase(before, after)) ??
      (isBeside && alike?.to !== before.length ? undefined : alike) ??
      (strong || no ? sameStart(start === 0 ? before : `.${before}`, after) : undefined) ??
      (strong ? sameWord(before) : undefined)
    at = end
    if (!old) continue
    // "Five stems, no, six" are six stems: where the new value ends the clause, the noun of the old one stays.
    const { said: length = 0 } = old
    const isEnd = length > 0 && /^\s*(?:$|[,;.!?\n])/.test(after.slice(length))
    const noun = isEnd ? before.slice(old.to) : ''
    text = `${text.slice(0, start + old.from)}${after.slice(0, length)}${noun}${text.slice(end + length)}`
    at = start + old.from
  }
  return text
}
