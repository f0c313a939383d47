import { splitConnectors } from './connectors.ts'
import { see } from './features.ts'
import { type Label, toLabels } from './labels.ts'
import { toPieces } from './pieces.ts'
import { findTakes } from './takes.ts'
import type { Task } from './task.ts'
import { toUnits, type Unit } from './units.ts'

export type { Task } from './task.ts'

const minWords = 2

const textOf = (message: string, units: readonly Unit[]): string => {
  let text = ''
  let to = -1
  for (const unit of units) {
    const gap = to < 0 ? '' : message.slice(to, unit.from)
    text += to < 0 ? '' : gap.length <= 4 ? gap : ' '
    text += message.slice(unit.from, unit.to)
    to = unit.to
  }
  return splitConnectors(text.trim()).rest.replace(/[\s,;]+(?:and|&|\+)?$/i, '')
}

/** The words before the object of a request: "Find me" of "Find me the radius of Mars". */
const opening = /^[^.!?\n]{2,60}?(?=\s(?:the|an?|my|our|some|all|how|what|\d))/iu
const openingOf = (words: string): string => opening.exec(words)?.[0] ?? ''

const wordsOf = (text: string) => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
const isUnspaced = (text: string) => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(text)

/** Kinds of first words with which a request begins. */
const openers = new Set(['deed', 'ask', 'me', 'you', 'ing'])
/** Kinds of words after the verb of an order: "draw a", "mail it", "convert 3". What follows a noun differs: "price from". */
const objects = new Set(['article', 'it', 'number', 'quote', 'me'])
/** After a verb that is known, the object may be any word. */
const objectsOfDeed = new Set([...objects, 'name', 'word'])
/** A value with the name of its input before it: "topic: rain". */
const labelled = /^\s*\p{L}[\p{L}_ -]{0,30}[:=]\s/u
/** A statement tells of something and asks for nothing: "the ceiling is at 3 metres", "my wife says two". */
const stated =
  /^(?:the|an?|my|our|your|his|her|their|its|this|that|these|those|it|he|she|they|there)\s+(?:[\p{L}'’-]+\s+){0,2}(?:is|are|was|were|has|had|says?|said|wants?|thinks?|likes?|loves?)(?!\p{L})[^?]*$/iu
const onlyJoining = /^(?:and|&|or|but|so|now|\+|-|und|et|y|e)?$/

/** Whether a unit begins like a request. Each task may cost money, so likeness alone makes no second one. */
const isRequest = (unit: Unit): boolean => {
  const said = splitConnectors(unit.text).rest
  if (labelled.test(said) || stated.test(said)) return false
  const { lead, kinds } = see(unit)
  const [first = '', second = '', third = ''] = kinds
  if (!onlyJoining.test(lead) || first === 'article') return true
  // "Tell me the weather" as well as "tell the weather".
  if (first === 'word') return objects.has(second) || (second === 'word' && objects.has(third))
  const isSentence = unit.joint === '.' || unit.joint === 'line'
  return openers.has(first) && (isSentence || first !== 'deed' || objectsOfDeed.has(second))
}

/** The labels, where a unit that begins like no request belongs to the one before. */
const withRequests = (units: readonly Unit[], labels: readonly Label[]): Label[] =>
  labels.map((label, at) => (at > 0 && label === 'task' && units[at] && !isRequest(units[at]) ? 'more' : label))

/** Words that take back the words before them: what is left is one task. */
const takenBack = /(?:\.{2,3}|…|[,;—-])\s*(?:no,? (?:just|only|wait)|wait,? no|scratch that|forget that)(?!\p{L})/iu

/**
 * Reads a message into its tasks, in order, without a language model; one entry for a single task, with the message unchanged.
 * The words of each task are complete: a task that shares the verb of the one before is given it. Fenced, quoted and pasted text
 * is never cut.
 */
export const readTasks = (message: string): Task[] => {
  const units = toUnits(message)
  const single = [{ words: message, takes: [] }]
  if (units.length < 2 || takenBack.test(message)) return single
  const pieces = toPieces(units, withRequests(units, toLabels(units)))
  if (pieces.length < 2) return single
  const words: string[] = []
  for (const { units: own, shares } of pieces) {
    const text = textOf(message, own)
    const verb = shares ? openingOf(words.at(-1) ?? '') : ''
    words.push(verb ? `${verb} ${text}` : text)
  }
  if (words.some(it => wordsOf(it) < minWords && !isUnspaced(it))) return single
  return words.map((it, at) => ({ words: it, takes: findTakes(words, at) }))
}
