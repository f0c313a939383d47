import { isWholeText, isWords, type Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import { urls } from '../forms/urls.ts'
import { findMaterial, type Material } from '../text/marked.ts'
import { toNumber } from '../words/numerals.ts'
import { usedMark } from '../words/used.ts'
import { isDeed, isEmpty } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'

// Gives the topic of a request to the one required text field: what is left of its words, if they carry enough content.

const wordPattern = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’@&+#./-]*/gu
/** A bracket with a value that another reader took ends the words before it: "photosynthesis (year 9)". */
const readBracket = String.raw`\([^()\n${usedMark}]{0,30}${usedMark}[^()\n]{0,60}\)`
const ends = new RegExp(`${readBracket}|[${usedMark}]+|[,;](?=\\s|$)|[.!?…]+(?=\\s|$)|\\n+`, 'g')

/** Matches words that introduce the subject of a request. */
const aboutEnd = /(?<!\p{L})(?:(?:for|about|on|of|regarding)\s+(?:(?:an?|the|my|our|her|his|their|some)\s+)?|['’]s\s+)$/iu

/** `run`: the pieces between two values that others took have the same one. */
type Piece = { text: string; from: number; to: number; telling: number; subjects: number; end: string; run: number }

/** Whether a word belongs to the wording of the request and not to its subject. */
const isFrame = (filling: Filling, word: string) => {
  const lower = word.toLowerCase().replace(/['’](?:s|re|m|ll|d|ve)$/, '')
  return isEmpty(lower) || isDeed(lower) || filling.isOwn(lower)
}
/** Whether a word can be the topic of the request. Words of the listing's description can be, but words of its name cannot. */
const isSubject = (filling: Filling, word: string) => {
  const lower = word.toLowerCase().replace(/['’](?:s|re|m|ll|d|ve)$/, '')
  return !isEmpty(lower) && !isDeed(lower) && !filling.isName(lower)
}
const isFiller = (word: string) => splitWords(word).every(isEmpty)

/** Kinds of text that a user asks for, such as an article. They do not name its subject. */
const genres =
  /^(?:articles?|posts?|pieces?|texts?|drafts?|essays?|reports?|papers?|blogs?|newsletters?|updates?|latest|news|top|something)$/i
const isGenre = (filling: Filling, word: string) => genres.test(word) || isFrame(filling, word)

type Cut = { text: string; from: number; end: string; isWhole?: boolean }
const toPiece = (filling: Filling, { text, from, end, isWhole = false }: Cut): Omit<Piece, 'run'> => {
  const words = [...text.matchAll(wordPattern)]
  const tells = (word: string) => splitWords(word).some(it => !isFrame(filling, it))
  // After a word that tells something, a verb of requests is a noun: "frog research".
  const telling = words.filter((it, at) => tells(it[0]) || (at > 0 && isDeed(it[0]) && tells(words[at - 1]?.[0] ?? '')))
  const subjects = words.filter(it => splitWords(it[0]).some(word => isSubject(filling, word)))
  let start = isWhole
    ? Math.max(
        0,
        words.findIndex(it => !/^(?:please|the|an?|my)$/i.test(it[0])),
      )
    : 0
  // A number before a word of the listing counts the deliverables: "10 names for".
  const isLed = (at: number) =>
    at > 0 && isSubject(filling, words[at]?.[0] ?? '') && aboutEnd.test(text.slice(0, words[at]?.index))
  const about = words.findIndex(
    (it, at) =>
      /^about$/i.test(it[0]) ||
      (/^(?:on|regarding)$/i.test(it[0]) && at > 0 && words.slice(0, at).every(one => isGenre(filling, one[0]))),
  )
  if (about > 0 && about <= 4 && words[about + 1]) start = about + 1
  while (
    !isWhole &&
    start < words.length &&
    !isLed(start) &&
    (isFrame(filling, words[start]?.[0] ?? '') ||
      (isNumber(words[start]?.[0] ?? '') && isFrame(filling, words[start + 1]?.[0] ?? '')))
  )
    start += 1
  let last = words.length - 1
  while (last >= start && isFiller(words[last]?.[0] ?? '')) last -= 1
  const [first, final] = [words[start], words[last]]
  if (!first || !final || last < start) return { text: '', from, to: from, telling: 0, subjects: 0, end }
  const led = isLed(start) ? 1 : 0
  const stop = final.index + final[0].length
  return {
    text: text.slice(first.index, stop),
    from: from + first.index,
    to: from + stop,
    telling: Math.max(led, telling.length),
    subjects: subjects.length,
    end,
  }
}
const isNumber = (word: string) => /^\d/.test(word) || (!Number.isNaN(toNumber(word)) && toNumber(word) > 0)

const toPieces = (filling: Filling, text: string, offset: number): Piece[] => {
  const isMarked = offset > 0
  const pieces: Piece[] = []
  let [from, run] = [0, 0]
  for (const { 0: end, index } of [...text.matchAll(ends), { index: text.length, 0: '' }]) {
    const cut = { text: text.slice(from, index), from: offset + from, end, isWhole: isMarked && from === 0 }
    pieces.push({ ...toPiece(filling, cut), run })
    from = index + end.length
    if (end.includes(usedMark)) run += 1
  }
  return pieces.filter(it => it.subjects > 0)
}

/** Minimum number of content words. Little is known about a text, and a single remaining word is often unrelated to it. */
const tellingWords = ({ kind, name, description }: Slot): number => {
  if (kind === 'text') return 2
  return /question|query|prompt|description|request|instruction/i.test(name) ||
    /\?|what you want to know|what the picture/i.test(description)
    ? 2
    : 1
}

const maxChars = 2000
const joined = (pieces: Piece[]): string =>
  pieces
    .map((it, at) =>
      at === pieces.length - 1
        ? it.text
        : `${it.text}${/[.!?]/.test(it.end) ? `${it.end.trim()} ` : /[,;]/.test(it.end) ? ', ' : ' '}`,
    )
    .join('')

/** Returns the only required text field without a value; undefined if there are none or several. */
export const restSlot = (filling: Filling): Slot | undefined => {
  const open = filling
    .open()
    .filter(it => it.required && isWords(it) && it.kind !== 'name' && !/\bsubject line\b/i.test(it.description))
  const [only, ...others] = open
  return others.length === 0 ? only : undefined
}

/** "Write a haiku" names the kind of text but no subject. */
const genre = /(?:write|compose|create|make|draft|generate|need|want)\s+(?:me\s+|us\s+)?(?:an?|the|some)\s+\S{1,30}[\s.!?]*$/i

/**
 * Returns the topic after a colon or on the lines below, exactly as it was said. It ends before the values that other readers
 * took at its end: "dinner with Ada tomorrow at 7" is dinner with Ada.
 */
const toldBelow = (filling: Filling): Material | undefined => {
  const { page } = filling
  const found = findMaterial(page.rest())
  if (found?.mark !== 'colon' && found?.mark !== 'lines') return undefined
  const left = page.rest().slice(found.start, found.end)
  const pieces = toPieces(filling, left, found.start)
  const isUsed = left.includes(usedMark)
  if (pieces.length === 0) return undefined
  return isUsed ? { ...found, end: Math.max(...pieces.map(it => it.to)) } : found
}

/** Words before a mere name of what is meant: "my thesis", "the attached report", "a summary about wool". */
const referring = /(?<![\p{L}])(?:my|our|your|his|her|their|this|these|that|those|the|attached|about|on|of|regarding)\s+$/iu
/** Whether the pieces are one text, directly after the words of the request. Pieces of a text are never joined. */
const isOneText = (text: string, pieces: readonly Piece[]): boolean => {
  const [only, ...others] = pieces
  return only !== undefined && others.length === 0 && !referring.test(text.slice(0, only.from))
}

/** Gives the only web address of a request to its text field: it is the text of a code, or where the text is. */
const giveUrl = ({ page, give }: Filling, slot: Slot): boolean => {
  const [url, ...others] = urls.find(page.rest())
  if (!url || others.length > 0 || !give(slot, page.whole.slice(url.from, url.to))) return false
  page.take(url.from, url.to)
  return true
}

/** A request with more words is a letter. Its subject may stand anywhere in it. */
const letterWords = 40
/** The pieces with most to say between two values that others took. Words on both sides of a value are not one subject. */
const longestRun = (pieces: readonly Piece[]): Piece[] => {
  const weight = (run: readonly Piece[]) => run.reduce((sum, it) => sum + it.telling, 0)
  const runs = [...Map.groupBy(pieces, it => it.run).values()]
  return runs.toSorted((a, b) => weight(b) - weight(a))[0] ?? []
}

/** The words without the name of the field behind them: "the default namespace" is the namespace called default. */
const withoutName = (said: string, { path }: Slot): string => {
  const [own, ...more] = splitWords(path.at(-1) ?? '')
  const words = said.split(' ')
  return words.length > 1 && more.length === 0 && words.at(-1) === own ? words.slice(0, -1).join(' ') : said
}

/** A field for somebody's text as it stands. The words of the request are none. */
const isPasted = /\b(?:word for word|verbatim|past(?:e|ed)|as (?:plain )?text|exact (?:words|text))\b/i

const noun = String.raw`(?!(?:of|for|per|with|and|or|to|in|on|at|by|as|about|from|that|which)(?!\p{L}))[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*`
const thing = new RegExp(
  String.raw`(?<!\p{L})(?:(?:(?:for|as|of|about)\s+)?(?:my|our|his|her|their|an?|the|this|some)|for|as|of|about)\s+(?<it>${noun}(?: ${noun}){0,3})`,
  'giu',
)
const thingWords = 4
/** In a longer request, words without a word before them that leads to a thing are a part of the sentence. */
const shortWords = 10
/** Gives the thing that a request is about to a field for a property of it: "my calathea", "our old walnut". */
const readThing = (filling: Filling, slot: Slot): void => {
  const { page } = filling
  const rest = page.rest()
  const things = [...rest.matchAll(thing)].flatMap(({ 0: said, index, groups = {} }) => {
    const words = (groups.it ?? '').split(' ')
    const end = words.findIndex((it, at) => at > 0 && (isFiller(it) || isDeed(it)))
    const kept = words.slice(0, end < 0 ? undefined : end)
    const isOwn = isFrame(filling, kept[0] ?? '') || isNumber(kept[0] ?? '')
    const from = index + said.length - (groups.it ?? '').length
    return isOwn ? [] : [{ text: kept.join(' '), from, to: from + kept.join(' ').length }]
  })
  const isShort = splitWords(rest.replaceAll(usedMark, ' ')).length <= shortWords
  const pieces = toPieces(filling, rest, 0).filter(it => it.telling > 0 && it.text.split(' ').length <= thingWords)
  // The first word of a sentence that goes on is a verb: "switch it off".
  const isVerb = ({ from, to }: Piece) => /(?:^|[.!?\n])\s*$/.test(rest.slice(0, from)) && /^ \p{L}/u.test(rest.slice(to))
  const [found] = [...things, ...(isShort ? pieces.filter(it => !isVerb(it) && !/ing$/i.test(it.text)) : [])]
  if (found && filling.give(slot, withoutName(found.text, slot), false)) page.take(found.from, found.to)
}

/** Matches the words of a field that takes an action, such as the text of a reminder. */
const isOfDeeds = /\b(?:to be done|to do|to-?do|tasks?|remind(?:er|ed)?|remember)\b/i
/** Where the infinitive begins that leads to some words: "to call" before "Ben". Elsewhere it is a word of the request. */
const startOfDeed = (text: string, from: number, { name, description }: Slot): number => {
  const [, said = '', verb = ''] =
    /\bto (((?!have)\p{L}+) (?:(?:to|the|an?|my|our|his|her|their|at|for) ){0,2})$/iu.exec(
      text.slice(Math.max(0, from - 40), from),
    ) ?? []
  return isOfDeeds.test(`${splitWords(name).join(' ')} ${description}`) && isDeed(verb) ? from - said.length : from
}

/**
 * Gives the remaining words of the request to the one required text field. @param need minimum number of content words; 0 takes
 * the field's default
 */
export const readRest = (filling: Filling, need = 0): void => {
  const slot = restSlot(filling)
  if (!slot) return
  const { page } = filling
  const rest = page.rest()
  const isQuestion = /question|query/i.test(slot.name) && /^[^\uE000.!?\n]{8,500}\?\s*$/.test(rest)
  if (isQuestion && toPieces(filling, rest, 0).length > 0 && filling.give(slot, rest.trim(), false)) {
    page.take(0, rest.length)
    return
  }
  const below = toldBelow(filling)
  if (below) {
    if (filling.give(slot, page.whole.slice(below.start, below.end), false)) page.take(below.from, below.to)
    return
  }
  if (slot.kind === 'text' && giveUrl(filling, slot)) return
  if (slot.kind === 'text' && slot.type === 'string' && !isWholeText(slot)) {
    readThing(filling, slot)
    return
  }
  if (isPasted.test(slot.description)) return
  const all = toPieces(filling, rest, 0)
  const isLetter = splitWords(rest).length > letterWords
  const pieces = isWholeText(slot) || isLetter ? all : longestRun(all)
  if (slot.kind === 'text' && !isOneText(rest, pieces)) return
  const telling = pieces.reduce((sum, it) => sum + it.telling, 0)
  if (telling < (need || tellingWords(slot))) return
  if (telling === 1 && !need && genre.test(rest.trim())) return
  const [first] = pieces
  const deed = first ? rest.slice(startOfDeed(rest, first.from, slot), first.from) : ''
  const words = `${deed}${joined(pieces)}`.slice(0, maxChars)
  const said = isWholeText(slot) ? words : withoutName(words, slot)
  if (!filling.give(slot, said, false)) return
  for (const it of pieces) page.take(it.from, it.to)
}

/** Returns the remaining phrases that carry content. */
export const tellingRest = (filling: Filling): string[] => toPieces(filling, filling.page.rest(), 0).map(it => it.text)
