import { findFences, type Marked, masked } from '../text/fences.ts'
import { startOfContent } from '../text/marked.ts'
import { findQuotations } from '../text/quotations.ts'
import { findJoinedNames } from '../words/knownPlaces.ts'
import { isConnector, splitConnectors } from './connectors.ts'

// Cuts a message into units: the pieces at whose start another task may begin. Quoted and fenced text is never cut.

/** A piece of a message. `joint` is the mark before it: `.`, `,`, `;`, `line`, `word` (a conjunction alone), or empty. */
export type Unit = { from: number; to: number; text: string; joint: string; isAfterColon: boolean }

/** A longer message is a text with a request, and the time of the reading is bounded. */
const maxChars = 4_000
const maxUnits = 60

const conjunctions = String.raw`&|\+|and|then|plus|also|or|but|while|und|dann|sowie|et|puis|y|luego|e|poi|depois`
/** Words of languages whose "and" is one letter, which names a variable in others. */
const romance = /(?<!\p{L})(?:el|la|los|las|una?|il|per|para|con|uma?|que|di)(?!\p{L})/iu
const abbreviation = /(?:^|[\s(])(?:\p{Lu}|mr|mrs|ms|dr|prof|st|no|vs|e\.g|i\.e|etc|inc|ltd|approx|[ap]\.m|u\.s)\.$/iu
/** The number of an item of a list, which is no end of a sentence. */
const itemNumber = /(?:^|\n\s*|[.!?:;,]\s+)\(?\d{1,2}\.$/
const joints = new RegExp(
  String.raw`(?<sentence>[.!?…]+["”’')\]]*\s+|[。！？]\s*)|(?<line>\s*\n\s*)|(?<semicolon>[;；]\s*)|(?<comma>,\s+|[，、])|(?<word>\s+(?=(?:${conjunctions})[\s,]|\(?\d{1,2}\)\s))|(?<number>\s+(?=\d{1,2}[.)]\s))`,
  'giu',
)

/** A message that begins with the first item of a list. */
const numbered = /^\s*1[.)]\s/
const anyNumber = /(?:^|\s)\d{1,2}\.$/

/** What stands before the "also" of one clause: "could you also". */
const subject = /(?:^|[\s,])(?:i|you|we|they|he|she|it|can|could|would|will|should|please|may|that|which|who)$/iu

type Cut = { at: number; end: number; joint: string }

const cutsOf = (hidden: string): Cut[] =>
  [...hidden.matchAll(joints)].flatMap(({ 0: found, index, groups = {} }) => {
    const { sentence, line, semicolon, comma } = groups
    if (groups.number !== undefined && !numbered.test(hidden)) return []
    const next = hidden.slice(index + found.length, index + found.length + 2)
    if (groups.word !== undefined && subject.test(hidden.slice(Math.max(0, index - 8), index))) return []
    if (groups.word !== undefined && (/^\p{Lu}/u.test(next) || (/^[ye]\s$/u.test(next) && !romance.test(hidden)))) return []
    const before = hidden.slice(Math.max(0, index - 8), index + 1)
    // "Statistics etc. Lastly, …" goes on with another sentence.
    const isOver = /^\p{Lu}/u.test(next) && splitConnectors(hidden.slice(index + found.length)).lead !== ''
    const isNoEnd = (abbreviation.test(before) && !isOver) || (numbered.test(hidden) ? anyNumber : itemNumber).test(before)
    if (sentence !== undefined && !sentence.includes('\n') && isNoEnd) return []
    const isLine = line !== undefined || sentence?.includes('\n')
    const joint = isLine ? 'line' : sentence ? '.' : semicolon ? ';' : comma ? ',' : 'word'
    // A unit keeps the marks at the end of its sentence.
    const at = sentence === undefined ? index : index + found.trimEnd().length
    return [{ at, end: index + found.length, joint }]
  })

/** Words before a colon that announce several tasks. */
export const announced =
  /\b(?:(two|three|four|five|six|\d)|some|several|a few|these|the following) (?:small |quick |little )?(?:things|tasks|jobs|requests|errands|questions|favou?rs)(?:,? \p{L}+)?\s*$/iu
/** The lines of a list, whose numbers and dots say that a colon before them announces tasks and no text. */
const isList = (text: string) => /^\s*(?:\d{1,2}[.):]|[-*•]|first(?:ly)?\b|one\b)/i.test(text)

/** A line of the head of a mail, below a request. */
const mailHead = /(?<=\n)[ \t]*(?:from|to|cc|subject|date|sent|reply-to):[ \t]/i
const letterHead = /^[ \t]*(?:dear|hi|hello)(?!\p{L})[^\n.!?]{0,40},[ \t]*\r?\n/imu

/**
 * Returns where text begins that somebody pasted: after the colon of the first sentence, unless a list follows, and from the
 * greeting of a letter or the head of a mail below a request.
 */
const startOfPasted = (text: string): number => {
  const colon = startOfContent(text)
  const isFirst = !/[.!?]\s/.test(text.slice(0, colon).trim())
  const head = letterHead.exec(text)
  const mail = mailHead.exec(text)?.index ?? text.length
  const letter = Math.min(mail, head && head.index > 0 ? head.index : text.length)
  return Math.min(
    letter,
    isFirst &&
      /^\s*[\p{L}"“«]/u.test(text.slice(colon)) &&
      !isList(text.slice(colon)) &&
      !announced.test(text.slice(0, colon).replace(/[:：\s]+$/, ''))
      ? colon
      : text.length,
  )
}

const brackets = /[([{][^()[\]{}\n]{1,200}[)\]}]/g
/** Values in brackets, such as coordinates. */
const findBrackets = (text: string): Marked[] =>
  [...text.matchAll(brackets)].map(({ 0: found, index: from }) => {
    const to = from + found.length
    return { from, to, start: from + 1, end: to - 1 }
  })

/** Names with "and" in them, such as "Bosnia and Herzegovina". */
const findNames = (text: string): Marked[] =>
  findJoinedNames(text.slice(0, maxChars)).map(({ from, to }) => ({ from, to, start: from + 1, end: to - 1 }))

/** Cuts a message into units, in order. They cover all of it but the joints. */
export const toUnits = (message: string): Unit[] => {
  const whole = masked(message, [
    ...findFences(message),
    ...findQuotations(message),
    ...findBrackets(message),
    ...findNames(message),
  ])
  const hidden = whole.slice(0, Math.min(maxChars, startOfPasted(whole)))
  const colon = startOfContent(hidden)
  const units: Unit[] = []
  let [from, joint] = [0, '']
  const add = (to: number) => {
    const text = message.slice(from, to).trim()
    if (isConnector(text) && to < message.length) return undefined
    if (text !== '') units.push({ from, to, text, joint, isAfterColon: from >= colon })
    else if (units.length > 0 || joint === '') return false
    return true
  }
  for (const cut of [...cutsOf(hidden), { at: message.length, end: message.length, joint: '' }]) {
    const isAdded = units.length < maxUnits - 1 || cut.at === message.length ? add(cut.at) : undefined
    if (isAdded === undefined) continue
    // Of two joints in a row, such as a comma and a conjunction, the first one counts.
    joint = isAdded ? cut.joint : joint
    from = cut.end
  }
  return units
}
