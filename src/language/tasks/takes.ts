import { stem } from '../words/stem.ts'
import { isDeed } from '../words/vocabulary.ts'
import { toClassifier } from './classifier.ts'
import type { Take } from './task.ts'
import trained from './weights.json' with { type: 'json' }

// Finds what a task takes from earlier ones: "it", "the summary", "both". The examples teach which of these words do.

const pronouns = 'it|its|that|this|them|those|these|their|both|there|ihn|sie|es|lo|la|le'
const candidates = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:the|this|that|these|those)\s+(?<noun>\p{L}{3,})(?:\s+of\s+(?<of>\p{L}+))?|(?:${pronouns})(?![\p{L}\p{N}'’]))`,
  'giu',
)

type Candidate = { words: string; noun: string; from: number; to: number }

export const candidatesIn = (text: string): Candidate[] =>
  [...text.matchAll(candidates)].map(({ 0: words, index, groups }) => {
    // "The result of 2" is the result; what follows "of" is a feature of its own.
    const said = groups?.of === undefined ? words : words.replace(/\s+of\s+\p{L}+$/iu, '')
    return { words: said, noun: groups?.noun?.toLowerCase() ?? '', from: index, to: index + said.length }
  })

const sameStart = 5
/** Whether two words have one origin, as "summary" and "summarise" do. */
const isKin = (a: string, b: string) => {
  const letters = Math.min(sameStart, a.length, b.length)
  return letters >= 4 && a.slice(0, letters) === b.slice(0, letters)
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []
const openingWords = 5

/** How a noun is found in an earlier task: as what it does, as one of its words, or not at all. */
const relationOf = (noun: string, earlier: string): 'verb' | 'same' | 'none' => {
  if (noun === '') return 'none'
  const words = wordsOf(earlier)
  if (words.some(it => stem(it) === stem(noun))) return 'same'
  return words.slice(0, openingWords).some(it => isKin(it, noun)) ? 'verb' : 'none'
}

/** Whether a noun names what the verb of a task brings about: "the translation", after "translate the song". */
const isResultOf = (noun: string, earlier: string): boolean =>
  wordsOf(earlier)
    .slice(0, openingWords)
    .some(it => it !== noun && (isKin(it, noun) || (noun !== '' && stem(it) === stem(noun))) && isDeed(it))

export const toTakeFeatures = (it: Candidate, text: string, earlier: readonly string[]): string[] => {
  const before = wordsOf(text.slice(0, it.from))
  const after = wordsOf(text.slice(it.to))
  const head = it.noun || it.words.toLowerCase()
  const relations = new Set(earlier.map(one => relationOf(it.noun, one)))
  const relation = relations.has('verb') ? 'verb' : relations.has('same') ? 'same' : 'none'
  const kind = it.noun === '' ? `pronoun ${head}` : 'noun'
  return [
    'bias',
    kind,
    `head ${head}`,
    `words ${it.words.toLowerCase()}`,
    `relation ${relation} ${kind}`,
    `left ${before.at(-1) ?? ''}`,
    `left ${before.at(-1) ?? ''} ${head}`,
    `left two ${before.slice(-2).join(' ')}`,
    `right ${after[0] ?? ''}`,
    `right ${after[0] ?? ''} ${head}`,
    `place ${before.length < 3 ? before.length : 'later'} ${kind}`,
    `second ${before.length === 1} ${kind}`,
    `end ${after.length === 0} ${kind}`,
    `of ${after[0] === 'of'}`,
  ]
}

/** Whether words of a task mean what an earlier task gives. */
export const isTaken = ['yes', 'no'] as const
export type Is = (typeof isTaken)[number]

const classifier = toClassifier(isTaken, trained.takes)

/** The earlier tasks that a reference means: all for "both", the one whose verb the noun is of, else the one before. */
const sourcesOf = ({ words, noun }: Candidate, earlier: readonly string[]): number[] => {
  if (/^both$/i.test(words)) return [...earlier.keys()]
  const kin = earlier.findLastIndex(it => relationOf(noun, it) === 'verb' || isResultOf(noun, it))
  return [kin >= 0 ? kin : earlier.length - 1]
}

const surelyAbove = 0.5
/** Nouns for what any task brings about. "The answer to my letter" is another one. */
const anyResult = /^(?:results?|answers?|outputs?|outcomes?)$/
const ofOther = /^\s+(?:of|to|for|from)(?!\p{L})/iu

/** Finds what a task takes from the ones before it, once for each of them. */
export const findTakes = (tasks: readonly string[], at: number): Take[] => {
  const [text = '', earlier] = [tasks[at], tasks.slice(0, at)]
  if (earlier.length === 0) return []
  const takes: Take[] = []
  for (const it of candidatesIn(text)) {
    const isSure = classifier.read(toTakeFeatures(it, text, earlier)).yes >= surelyAbove
    // "The translation" after "translate" is its result.
    const isAny = anyResult.test(it.noun) && !ofOther.test(text.slice(it.to))
    if (!isSure && !isAny && !earlier.some(one => isResultOf(it.noun, one))) continue
    for (const from of sourcesOf(it, earlier)) if (!takes.some(one => one.from === from)) takes.push({ from, words: it.words })
  }
  return takes.sort((a, b) => a.from - b.from)
}
