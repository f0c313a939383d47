import { isDeed, isEmpty } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'
import { findFences, type Marked } from './fences.ts'
import { findQuotations } from './quotations.ts'

// Finds the material of a message: the text that the agent should work on. Its author marks it by a fence, a quotation, the
// head of a forwarded letter, a colon, or by writing it on the lines below.

export type Mark = 'fence' | 'quotation' | 'letter' | 'colon' | 'lines'
export type Material = Marked & { mark: Mark }

const greeting =
  /^\s{0,20}(?:dear|hi|hello|hey|good (?:morning|day|afternoon|evening)|to whom it may concern|greetings)(?![\p{L}])[^\n:]{0,60}[,:.!]?\s{0,20}$/iu
const letter = /^[ \t]*(?:-{2,} ?(?:original|forwarded) message ?-{2,}|begin forwarded message:)[ \t]*\r?\n/im
const header = String.raw`(?:from|to|cc|subject|date|sent|reply-to):[ \t]`
/** The head of a pasted mail: two of its lines, or its first one after a sentence. */
const mailHead = new RegExp(String.raw`^${header}[^\n]*\n${header}|(?<=[.?!:]\s{1,3})(?:from|subject|sent|cc):[ \t]`, 'im')
const colon = /[:：](?=\s)|：/
/** A line before the material that only points at it: "Here is the text:". */
const pointing =
  /\b(?:here|below|follow(?:s|ing)|attached|pasted)\b|^\s*(?:this|these|that|it|(?:my|the) \p{L}+)(?: \p{L}+){0,2}$/iu
const maxLines = 20

type Line = { from: number; text: string }
const linesOf = (text: string): Line[] => {
  let from = 0
  return text.split('\n', maxLines).map(it => {
    const line = { from, text: it }
    from += it.length + 1
    return line
  })
}

/** Where a colon in a line ends; undefined for none, and for the colon of a greeting. */
const afterColon = ({ from, text }: Line): number | undefined => {
  const found = colon.exec(text)
  // An address behind a colon is a value, and what follows it is said by the user.
  if (found && /^\s*https?:\/\/\S+/i.test(text.slice(found.index + 1))) return undefined
  return found && /\p{L}/u.test(text.slice(0, found.index)) ? from + found.index + 1 : undefined
}

/** Returns where the material begins, if a colon or a line end separates it from the request. */
const startOf = (text: string): { mark: 'colon' | 'lines'; at: number } | undefined => {
  const lines = linesOf(text)
  const first = lines.findIndex(it => /\p{L}/u.test(it.text) && !greeting.test(it.text))
  const line = lines[first]
  if (!line) return undefined
  const at = afterColon(line)
  if (at !== undefined) return { mark: 'colon', at }
  const pointer = lines
    .slice(first + 1)
    .find(it => /[:：]\s{0,20}$/.test(it.text) && pointing.test(it.text.replace(/[:：]\s*$/, '')))
  if (pointer) return { mark: 'colon', at: pointer.from + pointer.text.length }
  return { mark: 'lines', at: line.from + line.text.length }
}

/**
 * Returns where a colon begins the material, else the end of the text. A line end does not count here, because users write
 * their wishes on separate lines.
 */
export const startOfContent = (text: string): number =>
  linesOf(text)
    .filter(it => !greeting.test(it.text.split(colon, 1)[0] ?? ''))
    .flatMap(it => afterColon(it) ?? [])[0] ?? text.length

const closingChars = 120
const thanks = /^\s*(?:thanks?|thank you|cheers|that['’]?s (?:all|it)|please|pls|many thanks|ta)(?!\p{L})/iu
const asking = /\b(?:please|pls|thanks|thank you|i (?:need|want)|can you|could you|make it|keep it)\b/i
const nextTask =
  /(?<=[.!?]["'”’]?\s)(?:(?:and )?(?:after(?:wards| that| this)|then|next|once (?:that|it|you|this)['’]?s? (?:is |are )?(?:done|finished|ready))),? \p{L}+ (?:it|that|them|this|both)(?!\p{L})[^.!?\n]{0,120}[.!?]?\s*$/iu

/** Whether the last paragraph addresses the butler. */
const isClosing = (text: string): boolean => {
  if (text.length > closingChars) return false
  if (thanks.test(text)) return true
  const words = splitWords(text)
  return asking.test(text) && words.filter(it => isEmpty(it) || isDeed(it)).length / words.length >= 0.6
}

const paragraphLines = 2
/** Returns where the material ends: before a closing remark to the butler or before a second task. */
const endOf = (text: string, start: number): number => {
  const body = text.slice(start).trimEnd()
  const lines = body.split('\n')
  const blank = lines.findLastIndex(it => it.trim() === '')
  const last = lines.slice(blank + 1).join('\n')
  const isLetter = greeting.test(lines.find(it => it.trim() !== '') ?? '') || mailHead.test(body)
  const isOver = blank > 0 && !isLetter && lines.length - blank - 1 <= paragraphLines && isClosing(last.trim())
  const end = start + (isOver ? body.slice(0, body.length - last.length).trimEnd().length : body.length)
  const tail = Math.max(start, end - 200)
  const next = nextTask.exec(text.slice(tail, end))
  return next ? tail + next.index : end
}

/** The material between two places, without the blanks and blank lines around it. An indented first line keeps its indent. */
const between = (text: string, at: number, to: number): Marked | undefined => {
  const body = text.slice(at, to)
  const blanks = body.length - body.trimStart().length
  const line = body.slice(0, blanks).lastIndexOf('\n')
  const start = at + (line < 0 ? blanks : line + 1)
  const end = at + body.trimEnd().length
  return start < end ? { from: at, start, end, to } : undefined
}

const labelled = /(?:\b(?:subject|title|titled|called|named|name|heading|headline|voice|brand|branch)(?: line| is| of)?:?\s*)$/i
const sampled =
  /(?<!\p{L})(?:like|such as|e\.g\.|for example)[,:]?(?:\s*["“'‘][^"“”'‘’\n]{1,40}["”'’],?(?:\s*(?:or|and))?){0,5}\s*$/iu
const sampleChars = 40
const sampleReach = 200
/** Whether a word such as "title" or "called" directly precedes a quotation, or it is a sample: "plates like 'B-XY 123'". */
export const isLabelled = (text: string, { from, start, end }: Marked): boolean =>
  labelled.test(text.slice(Math.max(0, from - 24), from)) ||
  (end - start <= sampleChars && sampled.test(text.slice(Math.max(0, from - sampleReach), from)))

const findLetter = (text: string): Material | undefined => {
  const marked = letter.exec(text)
  const head = marked ? undefined : mailHead.exec(text)
  const at = marked ? marked.index + marked[0].length : head?.index
  const found = at === undefined ? undefined : between(text, at, text.length)
  return found && { ...found, mark: 'letter' }
}

/** The share of the text after a colon that a quotation has when it is the material. Only words may precede it there. */
const quotedShare = 0.6
const wordsOnly = /^[\p{L}\s]{0,30}$/u
const titleChars = 20

const findBelow = (text: string): Material | undefined => {
  const start = startOf(text)
  const found = start && between(text, start.at, endOf(text, start.at))
  return found && { ...found, mark: start.mark }
}

/** Lines before a fence that make it a part of the text after a colon. Fewer may be the user's own words about the fence. */
const proseLines = 2

/**
 * Finds material that contains fences, such as notes with a command in them. It begins at a colon or on the lines below the
 * request; text of its own stands before the first fence, and more text after the last one. Two lines after a colon are enough.
 */
export const findAround = (text: string, fences: readonly Marked[] = findFences(text)): Material | undefined => {
  const [first, last] = [fences[0], fences.at(-1)]
  const start = first && startOf(text.slice(0, first.from))
  if (!first || !last || !start) return undefined
  const before = text.slice(start.at, first.from).trim()
  const end = endOf(text, start.at)
  const after = text.slice(last.to, Math.max(last.to, end)).trim()
  const goesOn = after !== '' && !isClosing(after)
  const isColon = start.mark === 'colon' || /[:：]\s*$/.test(text.slice(0, start.at))
  const isProse = isColon && before.split('\n').filter(it => it.trim() !== '').length >= proseLines
  const found = before !== '' && (goesOn || isProse) ? between(text, start.at, end) : undefined
  return found && { ...found, mark: start.mark }
}

const requestChars = 160
/** Finds material above the request: all paragraphs before a short last one that speaks of what stands above. */
export const findAbove = (text: string): Material | undefined => {
  const body = text.trimEnd()
  const at = body.search(/\n[^\S\n]*\n(?:(?!\n[^\S\n]*\n)[\s\S]){1,200}$/)
  const request = at < 0 ? '' : body.slice(at).trim()
  const isAbove = request.length > 0 && request.length <= requestChars && /\b(?:above|preceding)\b/i.test(request)
  const found = isAbove ? between(text, 0, at) : undefined
  return found && { ...found, mark: 'lines' }
}

const lengthOf = ({ start, end }: Marked) => end - start

/** Returns the material that a message marks, or undefined. Of several fences or quotations, it returns the longest. */
export const findMaterial = (text: string): Material | undefined => {
  const longest = (all: Marked[]) => all.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0]
  const fences = findFences(text)
  const fence = longest(fences)
  if (fence) return findAround(text, fences) ?? { ...fence, mark: 'fence' }
  const mail = findLetter(text) ?? findAbove(text)
  if (mail) return mail
  const below = findBelow(text)
  const quoted = longest(findQuotations(text).filter(it => !isLabelled(text, it)))
  const quotation = quoted && { ...quoted, mark: 'quotation' as const }
  if (!below || !quotation) return quotation ?? below
  const isInside = quotation.from >= below.start && wordsOnly.test(text.slice(below.start, quotation.from))
  const isNext = text.slice(below.start, quotation.from).trim() === ''
  const isWhole = isInside && (isNext || lengthOf(quotation) >= lengthOf(below) * quotedShare)
  const isBefore = quotation.from < below.from && lengthOf(quotation) > titleChars
  return isWhole || isBefore ? quotation : below
}
