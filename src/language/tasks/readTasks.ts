import { isKnownPlace } from '../words/knownPlaces.ts'
import { unitOf } from '../words/measures.ts'
import { numeral } from '../words/numerals.ts'
import { asksPrice } from '../words/vocabulary.ts'
import { again, asksAgain } from './again.ts'
import { splitConnectors } from './connectors.ts'
import { findCoordinations } from './coordinations.ts'
import { see } from './features.ts'
import { type Label, toLabels } from './labels.ts'
import { isLimit, takeHead } from './limitHead.ts'
import { hasMaterialBelow, takeClosing } from './material.ts'
import { type Piece, toPieces } from './pieces.ts'
import { findTakes } from './takes.ts'
import { takesBack } from './takesBack.ts'
import type { Task } from './task.ts'
import { toUnits, type Unit } from './units.ts'

export type { Task } from './task.ts'

const minWords = 2

/** Words with which something else comes to mind. */
const aside = /^(?:oh|btw|by the way)(?![\p{L}'’])[\s,:.]*/iu
const onlyAside = /^(?:oh|btw|by the way)[\s,:.]*$/iu

const textOf = (message: string, units: readonly Unit[]): string => {
  let text = ''
  let to = -1
  for (const unit of units) {
    const gap = to < 0 ? '' : message.slice(to, unit.from)
    text += to < 0 ? '' : gap.length <= 4 ? gap : ' '
    text += message.slice(unit.from, unit.to)
    to = unit.to
  }
  return splitConnectors(text.trim().replace(aside, '')).rest.replace(/[\s,;]+(?:and|&|\+)?$/i, '')
}

/** The words before the object of a request: "Find me" of "Find me the radius of Mars". */
const opening = /^[^.!?\n]{2,60}?(?=\s(?:the|an?|my|our|some|all|how|what|two|three|four|five|\d))/iu
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

const isSentence = ({ joint }: Unit) => joint === '.' || joint === 'line'

/** A unit that ends with a number of things, which the ones after it tell apart: "two circles, one with …". */
const announced = /(?<!\p{L})(?:two|three|four|five|six|seven|eight|several) (?:[\p{L}-]+ ){0,3}\p{L}+s$/iu

/** A clause that tells of the noun before it: ", which was opened in 2015". */
const relative = /^(?:which|who|whose|where)(?: \p{L}+)? (?:is|are|was|were|has|had)(?!\p{L})/iu
/** Of a person in an order: "a poem for my dad, who retires in May". */
const ofPerson = /^(?:who|whose|whom)(?!\p{L})/iu

/** Words that go on with a clause: "Ann & her husband", "a park that has trees and has a lake", "opened in May and closed in June". */
const goingOn = /^(?:her|his|their|its|has|have|had|be|\p{L}+(?<!e)ed)(?!\p{L})/iu
/** Words that say more of the task before: "make it blue", "must be here by noon". */
const filed = /^put (?:it|them|that) (?:in|into|on|onto) (?:my|the|our) (?:calendar|diary|list|agenda|schedule)(?!\p{L})/iu
const saysMore = /^(?:(?:make|keep) (?:it|them)(?!\p{L})|(?:will|must|would|should|might) (?!you(?!\p{L})))/iu

/** Whether an earlier unit begins with the same two words, where a number is as good as another: "9 yards in …, 4 yards in …". */
const isParallel = (units: readonly Unit[], at: number): boolean => {
  const startOf = (it: Unit) => see(it).words.slice(0, 2).join(' ')
  return units.slice(0, at).some(it => startOf(it) === startOf(units[at] ?? it))
}

/** Whether a unit begins like a request. Each task may cost money, so likeness alone makes no second one. */
const isRequest = (units: readonly Unit[], at: number): boolean => {
  const unit = units[at]
  if (!unit) return false
  const said = splitConnectors(unit.text).rest
  if (/^https?:\/\//i.test(said) || labelled.test(said) || stated.test(said) || isLimit(said) || saysMore.test(said)) return false
  if (unit.joint === 'word' && goingOn.test(said)) return false
  // "A reminder for Friday and put it into my calendar" is one task.
  if (filed.test(said) && /^(?:article|word|name)$/.test(see(units[at - 1] ?? unit).kinds[0] ?? '')) return false
  const isTold = relative.test(said) || (ofPerson.test(said) && see(units[0] ?? unit).kinds[0] !== 'ask')
  if (unit.joint === ',' && said === unit.text && isTold && !said.endsWith('?')) return false
  const { lead, kinds, words } = see(unit)
  const [kind = '', second = '', third = ''] = kinds
  if (!onlyJoining.test(lead) || kind === 'article' || isParallel(units, at)) return true
  // "Tell me the weather" as well as "tell the weather".
  if (asksAgain(unit.text)) return true
  const first = kind === 'name' && isSentence(unit) ? 'word' : kind
  if (first === 'word')
    return objects.has(second) || (second === 'word' && objects.has(third)) || (second === 'name' && lead !== '')
  // "Five synonyms for stubborn"
  if (first === 'number')
    return unit.joint === ',' && second === 'word' && third === 'place' && unitOf(words[1] ?? '') === undefined
  return openers.has(first) && (isSentence(unit) || first !== 'deed' || objectsOfDeed.has(second))
}

/** Thanks, greetings and what is not wanted: a sentence of these asks for nothing. */
export const asksNothing =
  /^(?:many )?(?:thanks|thank you|thx|cheers|sorry|hi|hello|hey|good (?:morning|day|afternoon|evening)|do not|don['’]?t|never|no need|nobody|i (?:do not|don['’]?t|hope)|hope you)(?!\p{L})/iu
/** What its speaker did or thought before asks for nothing. */
const toldBefore =
  /^(?:i|we)(?:['’](?:ve|d))? (?:(?:\p{L}+ ){0,7}already|(?:first|once|originally)(?! (?:need|want|would|have to)(?!\p{L})))(?!\p{L})/iu
const amount = new RegExp(String.raw`^(?:(?:for|about|around) )?(?:${numeral}|an?|half an?) (?<unit>\p{L}+)[.!]?$`, 'iu')
const isAmount = (said: string) => unitOf(amount.exec(said)?.groups?.unit ?? '') !== undefined
/** Whether a clause only tells something, says what is not wanted, or is an amount of something: "one hour". */
export const onlyTells = (text: string): boolean => {
  const said = splitConnectors(text).rest
  return !said.endsWith('?') && (asksNothing.test(said) || toldBefore.test(said) || isAmount(said))
}
const isOver = (units: readonly Unit[], at: number) => ['.', 'line', ''].includes(units[at + 1]?.joint ?? '')

const itemNumber = /^\s*\(?(\d{1,2})[.)]\s/
const bullet = /^\s*[-*•]\s/
/** Whether a unit is an item of a list: one of several with a dot, or the number before or after its own stands there too. */
const isItem = (units: readonly Unit[], at: number): boolean => {
  const isDotted = (it: Unit | undefined, place: number) => (place === 0 || it?.joint === 'line') && bullet.test(it?.text ?? '')
  if (isDotted(units[at], at)) return units.filter(isDotted).length > 1
  const numbers = units.map(it => Number(itemNumber.exec(it.text)?.[1] ?? 0))
  const own = numbers[at] ?? 0
  return own > 0 && (numbers.includes(own + 1) || (own > 1 && numbers.includes(own - 1)))
}

/** Words that count the tasks of a message: "First, …. Second, …. Lastly, …". */
const counting = /(?:^|\s)(?:first|second|third|fourth|fifth|last|final)(?:ly)?$/
const counted =
  /^(?:the|my) (?:first|second|third|fourth|fifth|next|last|final|other)(?: (?:one|thing|task|problem|question|request|part))? is (?:to|about|how|what)(?!\p{L})/iu
const following = /(?:^|\s)(?:then|next|later|after(?:wards| that| this)?)$/

/** The labels, where the sentences of a message count its tasks: what follows such a sentence belongs to its task. */
const withCounted = (units: readonly Unit[], labels: readonly Label[]): Label[] => {
  const leadOf = ({ text }: Unit) => (counted.test(text) ? 'second' : splitConnectors(text).lead)
  const leads = units.map((it, at) => (at === 0 || isSentence(it) ? leadOf(it) : ''))
  const first = leads.findIndex(it => counting.test(it))
  const isStart = (at: number) => at >= first && (counting.test(leads[at] ?? '') || following.test(leads[at] ?? ''))
  if (first < 0 || units.filter((_, at) => isStart(at)).length < 2) return [...labels]
  return labels.map((label, at) => {
    const unit = units[at]
    if (isStart(at)) return 'task'
    const isOwn = unit && (!isSentence(unit) || leads[at] === '')
    return at > first && label !== 'frame' && isOwn ? 'more' : label
  })
}

/** A clause that asks for the task before with another value: "and how would it change if we use the other model". */
const varied =
  /^(?:what|how) (?:if|about)(?!\p{L})|^(?:how|what) (?:would|will|does|do|is|are)(?!\p{L}).{0,80}(?<!\p{L})(?:if|instead|with)(?!\p{L})/iu

const onlyAdds =
  /^(?:(?:it|i|he|she|they|we)(?!\p{L})|(?:my|our|his|her) \p{L}+ (?:wants?|likes?|says?|needs?)(?!\p{L})|(?:in|at|on|for|with|from|of) )/iu
/** Whether a part of a counted message can be a task of it: no statement, and no more of the task before. */
const mayBeTask = (said: string): boolean =>
  !stated.test(said) && !saysMore.test(said) && !onlyTells(said) && !onlyAdds.test(said)

/** The labels, where an item of a list is a task, and a unit that begins like no request belongs to the one before. */
const withRequests = (units: readonly Unit[], labels: readonly Label[]): Label[] =>
  labels.map((label, at) => {
    const unit = units[at]
    if (!unit || isItem(units, at)) return 'task'
    if (onlyAside.test(unit.text)) return 'frame'
    if (isOver(units, at) && (at === 0 || isSentence(unit)) && asksPrice(unit.text)) return 'frame'
    const isFirst = units
      .slice(0, at)
      .every((_, place) => labels[place] === 'frame' || asksNothing.test(units[place]?.text ?? ''))
    if ((at === 0 || isSentence(unit)) && isOver(units, at) && asksNothing.test(unit.text) && !unit.text.endsWith('?'))
      return isFirst || label === 'task' ? 'frame' : label
    if (label === 'task' && toldBefore.test(unit.text)) return 'context'
    if (asksAgain(unit.text) && units.slice(0, at).some(it => announced.test(it.text))) return 'more'
    if (at > 0 && varied.test(splitConnectors(unit.text).rest)) return 'task'
    // What a message with no task before it asks is its task: "32 amps over 18 metres, how thick?"
    if (at > 0 && label === 'more' && asking.test(unit.text) && !labels.slice(0, at).includes('task')) return 'task'
    const isAgain = (isSentence(unit) && isPlaced(unit)) || asksAgain(unit.text)
    if (at > 0 && label !== 'frame' && (isAgain || beginsOther(unit, units[at - 1]))) return 'task'
    return at > 0 && label === 'task' && !isFirst && !isRequest(units, at) ? 'more' : label
  })

const asking = /^(?:what|which|who|where|when|how)(?:['’]s)?(?!\p{L})[^?]+\?$/iu
/** Whether a unit is joined as another task is: "Oh and …", "And what's …?", "…; opening hours of …", "… + a recipe for …". */
const beginsOther = (unit: Unit, before: Unit | undefined): boolean => {
  const { lead, rest } = splitConnectors(unit.text.replace(aside, ''))
  if (stated.test(rest) || labelled.test(rest) || goingOn.test(rest) || isLimit(rest) || saysMore.test(rest)) return false
  if (!/^\p{L}/u.test(rest) || wordsOf(rest) < minWords || onlyAdds.test(rest)) return false
  const isMarked = unit.joint === ';' || lead === '+' || aside.test(unit.text) || onlyAside.test(before?.text ?? '')
  const isAsked = /^(?:and|also)$/.test(lead) && asking.test(rest) && !varied.test(rest)
  return isMarked || (isAsked && (isSentence(unit) || (unit.joint === ',' && !pointing.test(rest))))
}
const pointing = /(?<!\p{L})(?:it|its|that|this|these|those|them|they|their|there|one|each|he|she)(?!\p{L})/iu

/** Whether a sentence is a noun and the place it is asked for, and no more: "Time in Tokyo." */
const isPlaced = (unit: Unit): boolean => {
  const { words, kinds } = see(unit)
  const [first = '', second = ''] = kinds
  const place = splitConnectors(unit.text)
    .rest.replace(/[.!?]+$/, '')
    .split(/\s+/)
    .slice(2)
    .join(' ')
  return (first === 'word' || first === 'name') && second === 'place' && words.length > 2 && isKnownPlace(place)
}

const ofObject = /^\s+(?:of|for|in|at|from|on|between|to|with)(?!\p{L})/iu
/** The words of the piece before another one in its sentence, with their common object: "the mass and the radius of Mars". */
const withObject = (message: string, words: string, { units: [next], shares }: Piece): string => {
  const start = next && next.from + next.text.length - splitConnectors(next.text).rest.length
  if (!next || !shares || next.joint !== 'word') return words
  const joined = findCoordinations(message).filter(it => it.some(({ from }) => from === start))
  for (const members of joined) {
    const [first, last] = [members[0], members.at(-1)]
    const said = message.slice(first?.from, first?.to)
    const rest = message.slice(last?.to, next.to)
    if (last && ofObject.test(rest) && words === `${openingOf(words)} ${said}`) return words + rest.replace(/[.?!]+\s*$/, '')
  }
  return words
}

/**
 * Reads a message into its tasks, in order, without a language model; one entry for a single task, with the message unchanged.
 * The words of each task are complete: a task that shares the verb of the one before is given it. Fenced, quoted and pasted text
 * is never cut.
 */
export const readTasks = (said: string): Task[] => {
  const { rest, closing, isOf } = takeClosing(said)
  const { rest: message, count, shared } = takeHead(rest)
  const units = toUnits(message)
  const single = [{ words: said, takes: [] }]
  if (units.length < 2 || takesBack(message) || hasMaterialBelow(units)) return single
  // If the head announces as many tasks as there are units, each unit is a task.
  const areTasks = units.length === count && units.every(it => mayBeTask(splitConnectors(it.text).rest))
  const labels = areTasks ? units.map((): Label => 'task') : withRequests(units, toLabels(units))
  const pieces = toPieces(units, withCounted(units, labels))
  if (pieces.length < 2) return single
  const words: string[] = []
  for (const { units: own, shares } of pieces) {
    const text = textOf(message, own)
    const verb = shares ? openingOf(words.at(-1) ?? '') : ''
    const following = pieces[words.length + 1]
    const whole = verb ? `${verb} ${text}` : again(text, words.at(-1) ?? '')
    words.push(following ? withObject(message, whole, following) : whole)
  }
  if (words.some(it => wordsOf(it) < minWords && !isUnspaced(it))) return single
  const withText = (it: string) => (isOf(it) ? `${it} ${closing}` : it)
  if (closing !== '' && !words.some(isOf)) return single
  const tasks = words.map((it, at) => ({
    words: withText(shared ? `${shared}, ${it}` : it),
    takes: findTakes(words, at).filter(take => !(isOf(it) && isOf(take.words))),
  }))
  return shared && tasks.some(it => it.takes.length > 0) ? single : tasks
}
