import type { Json, JsonObject } from '../../domain/json.ts'
import { isWords, type Slot } from '../fields/fields.ts'
import { createFilling, type Filling } from '../fields/filling.ts'
import { createPage } from '../fields/page.ts'
import { findDates, toIso } from '../forms/dates.ts'
import { findMaterial } from '../text/marked.ts'
import { readMoved } from '../values/calendar.ts'
import { measure, speaksOfPeople } from '../values/numberFields.ts'
import type { Limits } from '../values/wishes.ts'
import { isKnownPlace } from '../words/knownPlaces.ts'
import { numeral, toNumber } from '../words/numerals.ts'
import { isEmpty, isOfPrice } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'
import { readTyped } from './read.ts'
import { readMoves, relative } from './relative.ts'
import { tellingRest } from './rest.ts'

// A change applies to the field it names, or to the only field whose type and choices fit the new value.

const leadWords = `(?<!(?:and|also) )no(?! (?:\\p{L}+ing|\\p{L}{3,}s|need|more)(?!\\p{L}))|nope|yes|yep|yeah|ok(?:ay)?|sorry|actually|oops|ops|ugh|argh|hm+|hang on|wait|and|but|or|now|please|rather|well|ah|oh|haha|lol|typo|my mistake|so|then|the same|same(?: thing)?|again|just|only|that should be|it should(?: have)? be(?:en)?|should be|i meant?|i mean|i said|i want(?:ed)?|make (?:it|that|this|them)|change (?:it|that|this)(?: to)?|set (?:it|that)(?: to)?|let['’]?s (?:say|do|make it)|(?:and )?what about|how about|better|try|instead`
const lead = new RegExp(String.raw`^(?:(?:${leadWords})(?![\p{L}'’])[\s,.:!…;-]*)+`, 'iu')
const tail =
  /[\s,.!;]*(?:(?:and |but )?(?:(?:all )?the (?:rest|others?)|everything else|all else) (?:stays?|remains?|is|are|as)(?! not)[^.!?\n]{0,30}|instead|please|pls|rather|then|thanks|thank you|now|after all)?[\s.!?]*$/i
/** Matches a negated value, which is the old one: "not 15, 50", "Edda, not Alma". */
const denial =
  /(?:^|[\s,;(])(?:not|instead of|rather than)\s+(?:(?:the|on|in|for|at|to|an?)\s+)?([^,.;:!?)\n]{1,40}?)(?=\s*(?:[,.;:!?)\n]|$|\bbut\b))/gi
const changeChars = 600

const shortWords = 8
/** A new value ends before what is said beside it: "Oslo, on Friday", "Oslo because my flight changed". */
const valueEnd =
  /^.*?(?=[,;]|[.!?](?:\s|$)|\s(?:and|for|on|at|by|because|since|as|please|pls|if|but|tomorrow|today|tonight|next)(?!\p{L})|$)/isu
/** Words before a new value that are no part of it. */
const beforeValue = /^(?:it['’]?s|it is|that['’]?s|that is|should be|from|to|for|in|at|with|the)\s+/i

/** Gives the new words to the one field whose old words were denied: "Bremen, not Hamburg". */
const readDeniedWords = (inner: Filling, known: JsonObject, denied: string[]): void => {
  const old = denied.map(it => it.toLowerCase())
  const [slot, ...others] = inner.slots.filter(it => old.includes(String(known[it.name] ?? '').toLowerCase()))
  if (!slot || others.length > 0 || inner.values.has(slot.name) || typeof known[slot.name] !== 'string') return
  const [whole = ''] = valueEnd.exec(inner.page.rest()) ?? []
  let value = whole.trim()
  for (let shorter = ''; shorter !== value; value = value.replace(beforeValue, '')) shorter = value
  value = value.replace(/[\s,.;:!?]+$/, '')
  if (value === '' || splitWords(value).length > shortWords) return
  if (inner.give(slot, value)) inner.page.take(0, whole.length)
}

const giveNumber = (inner: Filling, slots: Slot[]): boolean => {
  const [slot, ...others] = slots
  const numbers = [...inner.page.rest().matchAll(new RegExp(String.raw`(?<![\p{L}\p{N}.,])${numeral}(?![\p{L}\p{N}])`, 'giu'))]
  const [said, ...more] = numbers
  if (!slot || others.length > 0 || !said || more.length > 0) return false
  if (!inner.give(slot, toNumber(said[0]))) return false
  inner.page.take(said.index, said.index + said[0].length)
  return true
}

const sameDigits = (a: number, b: number) => [...String(a)].sort().join('') === [...String(b)].sort().join('')
/**
 * Gives a number without a label to the only number field. Among several, it picks one whose old value has the same digits or
 * as many digits.
 */
const readBareNumber = (inner: Filling, known: JsonObject): void => {
  const numbers = inner.slots.filter(
    it => it.kind === 'number' && typeof known[it.name] === 'number' && !inner.values.has(it.name),
  )
  const said = new RegExp(String.raw`(?<![\p{L}\p{N}.,])${numeral}(?![\p{L}\p{N}])(?!\s*%)`, 'iu').exec(inner.page.rest())
  if (!said || inner.slots.some(it => it.kind === 'number' && inner.values.has(it.name))) return
  const value = toNumber(said[0])
  const alike = numbers.filter(it => sameDigits(value, Number(known[it.name])))
  const sized = numbers.filter(
    it => it.fits(value) && String(Math.round(Number(known[it.name]))).length === String(Math.round(value)).length,
  )
  const counts = inner.slots.filter(
    it =>
      it.kind === 'number' && known[it.name] === undefined && /^how many|count|variants/i.test(`${it.description} ${it.name}`),
  )
  const persons = speaksOfPeople(inner.page.whole) ? numbers.filter(it => measure(it).isPeople) : []
  for (const slots of [persons, numbers, alike, sized, counts]) if (giveNumber(inner, slots)) return
}

const onlyDay = /^(?:(?:the|on|for) )?(\d{1,2})(?:st|nd|rd|th)$/i
/** Reads "the 9th" as a day in the month of the known date. */
const withMonth = (inner: Filling, known: JsonObject, said: string): void => {
  const [, day] = onlyDay.exec(said.trim()) ?? []
  const dates = inner.slots.filter(it => it.kind === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(String(known[it.name] ?? '')))
  const [slot, ...others] = dates
  if (!day || !slot || others.length > 0) return
  const [year, month] = String(known[slot.name]).split('-').map(Number)
  if (inner.give(slot, toIso({ year: year ?? 0, month: month ?? 0, day: Number(day) })))
    inner.page.take(0, inner.page.whole.length)
}

/** Words of agreement or farewell, which change nothing. */
const assent = /^(?:fine|ok|okay|alright|fair|take|go|do|deal|good|great|perfect|proceed|sure|yes|bye|goodbye|enough)$/
/** Lets a few new words replace the only text value. Words that describe a style go to the style field. */
const readWords = (outer: Filling, inner: Filling, { known, isLed }: { known: JsonObject; isLed: boolean }): void => {
  const left = tellingRest(inner).join(' ')
  const words = splitWords(left)
  if (left === '' || words.length > shortWords || words.every(it => assent.test(it) || isEmpty(it) || isOfPrice(it))) return
  // Words that only repeat the listing name the task and give no new value.
  if (words.every(it => outer.isOwn(it) || isEmpty(it))) return
  const manners = inner.slots.filter(it => it.kind === 'manner' && !inner.values.has(it.name))
  const named = manners.filter(it => /style|tone/.test(it.name))
  const [manner, ...more] = named
  const bare = splitWords(left)
  if (manner && more.length === 0 && bare.length <= 3 && bare.some(it => !isEmpty(it))) {
    const adjective = left.replace(/\s+(?:ones?|names?|version)$/i, '')
    if (inner.give(manner, adjective, false)) return
  }
  if (inner.values.size > 0 || !isLed) return
  const texts = inner.slots.filter(
    it =>
      (isWords(it) || it.kind === 'place' || it.kind === 'code') &&
      it.kind !== 'manner' &&
      typeof known[it.name] === 'string' &&
      // A few words do not replace a whole text.
      (it.kind !== 'text' || splitWords(String(known[it.name])).length <= shortWords),
  )
  // Of a journey, a place alone is where it goes.
  const isJourney = texts.length === 2 && texts.some(it => it.role === 'from')
  const [text, ...others] = isJourney ? texts.filter(it => it.role === 'to') : texts
  if (text && others.length === 0) inner.give(text, left, false)
}

const addition = /^\W*(?:and|also|plus|add|oh and)(?![\p{L}])|(?<![\p{L}])(?:too|as well|either|also)[\s.!]*$/iu
/** The items of a list with those that are added. */
const withItems = (before: Json | undefined, value: Json): Json =>
  Array.isArray(before) && Array.isArray(value)
    ? [...before, ...value.filter(it => !before.some(one => isSameValue(one, it)))]
    : value

const ofSpeaker = /(?<!\p{L})(?:i|we)(?:['’](?:m|re)| am| are| live| stay) (?:(?:now|currently|here|based) )?(?:in|at|near)\s+$/iu
/** Where its user is, said beside another change, moves nothing: "call it Supper, and I am in Rome". */
const isWhereabouts = ({ page, values }: Filling, value: Json): boolean => {
  const at = typeof value === 'string' && values.size > 1 ? page.whole.indexOf(value) : -1
  return at > 0 && ofSpeaker.test(page.whole.slice(Math.max(0, at - 30), at))
}

/** A word in small letters is no new place or name, unless the field is named: "we arrive a day later". */
const isRemark = ({ kind, name }: Slot, change: { before: Json | undefined; next: Json }, said: string): boolean =>
  (kind === 'place' || kind === 'name') &&
  typeof change.before === 'string' &&
  /^\p{Ll}/u.test(String(change.next)) &&
  /^\p{Lu}/u.test(change.before) &&
  !isKnownPlace(String(change.next)) &&
  !splitWords(said).some(it => splitWords(name).includes(it))

const isSameValue = (a: Json | undefined, b: Json) => JSON.stringify(a) === JSON.stringify(b)

/** Removes the words of changing and the values that are denied. Marked material stays as it is. */
export const withoutLead = (whole: string): { said: string; denied: string[] } => {
  const denied: string[] = []
  const from = findMaterial(whole)?.from ?? whole.length
  const head = whole
    .slice(0, from)
    .replace(lead, '')
    .replace(denial, (_, what: string) => {
      denied.push(what.trim())
      return ' '
    })
    .replace(/^[\s,.;:]+(?:but\s+)?/, '')
  return { said: from === whole.length ? head.replace(tail, '') : `${head}${whole.slice(from)}`, denied }
}

const turned = /^\W*(?:(?:no|sorry|and)[\s,]+)*not\s+([^,.;:!?\n]{1,40}?),?\s+but\s+(?:rather\s+)?(\S[^.!?\n]*)/iu
/** A change with its new value first: "Lima, not Cairo" for "not Cairo but Lima". */
export const newFirst = (text: string): string => text.replace(turned, '$2, not $1')

const oldWords = String.raw`\s+(?:the\s+)?(\S.{0,60}?)\s+`
const replacing = new RegExp(
  `^(?:(?:change|switch)${oldWords}(?:to|into)|(?:replace|swap)${oldWords}(?:by|with|for))\\s+(\\S.*)$`,
  'is',
)
/** Matches a message with two changes, which is read by other rules: "… to Oslo and Rome to Paris". */
const twofold = /\sand\s+(?:the\s+)?\S+(?:\s\S+){0,3}?\s+(?:to|into|by|with)\s/i
/** The new words of “change the old to the new”, and the old ones; of every other message all words. */
export const splitChange = (said: string): { next: string; old: string } => {
  const [, changed, replaced, next] = twofold.test(said) ? [] : (replacing.exec(said) ?? [])
  return { next: next ?? said, old: changed ?? replaced ?? '' }
}

/** "Change 12 miles to 13", where 12 is a known value, says 13 and denies the old value. */
const withoutOld = ({ said, denied }: ReturnType<typeof withoutLead>, known: JsonObject): ReturnType<typeof withoutLead> => {
  const { next, old } = splitChange(said)
  const words = ` ${splitWords(old).join(' ')} `
  const isKnown = Object.values(known).some(it => words.includes(` ${splitWords(String(it)).join(' ') || '-'} `))
  return isKnown ? { said: next, denied: [...denied, old] } : { said, denied }
}

/** Reads a change of known values. Fields that the message does not mention keep their values. */
export const readChange = (filling: Filling, known: JsonObject): Limits => {
  const all = filling.page.whole.trim()
  const { slots } = filling
  const moves = all.length <= changeChars ? readMoves(filling, known, all) : { changed: [], words: '' }
  for (const [slot, value] of moves.changed) filling.give(slot, value)
  // Beside another day, a message may change a number as well, and beside the way back its day.
  const whole = all.replace(moves.words, ' ').trim()
  if (moves.words !== '' && !/\d/.test(whole) && findDates(whole, filling.now).length === 0) {
    filling.page.take(0, filling.page.whole.length)
    return {}
  }
  if (whole.length <= changeChars) {
    const changed = relative(slots, known, whole)
    for (const [slot, value] of changed) filling.give(slot, value)
    if (changed.length > 0) {
      filling.page.take(0, filling.page.whole.length)
      return {}
    }
  }
  const { said, denied } = withoutOld(withoutLead(whole), known)
  const inner = createFilling({ ...filling, page: createPage(said), isOwn: filling.isName, isListed: () => false })
  withMonth(inner, known, said)
  readMoved(inner, known)
  readDeniedWords(inner, known, denied)
  const limits = readTyped(inner)
  readBareNumber(inner, known)
  const isLed = lead.test(whole) || /\binstead\b/i.test(whole) || denied.length > 0
  readWords(filling, inner, { known, isLed })
  const isAddition = addition.test(whole)
  for (const [name, value] of inner.values) {
    const slot = slots.find(it => it.name === name)
    const before = known[name]
    const next = isAddition ? withItems(before, value) : value
    const isAside = before !== undefined && isWhereabouts(inner, next)
    if (slot && !isAside && !isSameValue(before, next) && !isRemark(slot, { before, next }, said))
      filling.give(slot, next, inner.typed.has(name))
  }
  // The whole message is used once the change gave a value.
  if (inner.values.size > 0) filling.page.take(0, whole.length + 10)
  return limits
}
