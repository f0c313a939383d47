import { isObject, type Json, json } from '../../domain/json.ts'
import type { Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import { coined } from '../forms/coined.ts'
import { findQuotations } from '../text/quotations.ts'
import { isKnownPlace } from '../words/knownPlaces.ts'
import { isDeed, isEmpty } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'
import { mentionsIn } from './choices.ts'
import { formOfItems } from './fieldForms.ts'
import type { Mention } from './mentions.ts'

// Reads lists: JSON arrays, allowed items, rows of numbers, quotations and enumerations such as "a, b and c".

const literal = /\[[^[\]]{1,2000}(?:\[[^[\]]{0,500}\][^[\]]{0,500}){0,50}\]/g
const figures = /-?\d+(?:\.\d+)?(?:(?:\s*,\s*(?:and\s+)?|\s+and\s+)-?\d+(?:\.\d+)?)+/g
const maxItems = 100
const parse = (text: string): Json[] => {
  try {
    return [json.parse(JSON.parse(text.replaceAll("'", '"')))]
  } catch {
    return []
  }
}

type Found = { value: Json; from: number; to: number }

const literals = (text: string): Found[] =>
  [...text.matchAll(literal)].flatMap(it => parse(it[0]).map(value => ({ value, from: it.index, to: it.index + it[0].length })))
const marked = (text: string): Found[] => [
  ...literals(text),
  ...[...text.matchAll(figures)].map(it => ({
    value: (it[0].match(/-?\d+(?:\.\d+)?/g) ?? []).slice(0, maxItems).map(Number),
    from: it.index,
    to: it.index + it[0].length,
  })),
]

const quoted = (text: string): Found[] => {
  const all = findQuotations(text)
  const [first, last] = [all[0], all.at(-1)]
  return first && last && all.length > 1
    ? [{ value: all.map(it => text.slice(it.start, it.end).trim()).slice(0, maxItems), from: first.from, to: last.to }]
    : []
}

const leftOut =
  /^without\b|\b(?:avoid|exclud\w*|leave out|left out|not wanted?|must not|(?:do|does) not want|unwanted|allerg\w+|dislikes?|except|free (?:from|of))\b/i
/** Whether a list names what is to be left out. */
const isLeftOut = ({ name, description }: Slot) => leftOut.test(`${name.replaceAll('_', ' ')} ${description}`)

const negation =
  /(?<!\p{L})(?:no|not(?: any)?|non|without(?: any)?|avoid(?:ing)?|free (?:from|of)|allergic to|allergy to|neither|nor)(?!\p{L})/giu
const toBlank = (said: string) => ' '.repeat(said.length)
/** The allowed items that a text denies: "no gluten, no nuts or dairy", "nut-free". */
const deniedIn = (text: string, slot: Slot): Mention[] => {
  const all = mentionsIn(text.replace(negation, toBlank), slot)
  const isDenied = ({ from, to }: Mention, before: Mention | undefined) => {
    const clause =
      text
        .slice(Math.max(0, from - 40), from)
        .split(/[.!?;]/)
        .at(-1) ?? ''
    const isJoined = before !== undefined && /^\s*(?:,|and|or|nor|&|,\s*(?:and|or))\s*$/.test(text.slice(before.to, from))
    return (
      new RegExp(`${negation.source}[^,.;]{0,20}$`, 'iu').test(clause) || isJoined || /^[ -](?:free|allerg)/.test(text.slice(to))
    )
  }
  const found: Mention[] = []
  for (const it of all) if (isDenied(it, found.at(-1))) found.push(it)
  return found
}

const readAllowed = (filling: Filling, slot: Slot): void => {
  const allowed = { ...slot, allowed: slot.allowedItems }
  const text = filling.page.rest()
  const found = isLeftOut(slot) ? deniedIn(text, allowed) : mentionsIn(text, allowed)
  if (found.length === 0 || !filling.give(slot, [...new Set(found.map(it => it.value))])) return
  for (const { from, to } of found) filling.page.take(from, to)
}

const word = String.raw`[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}'’/+-]|\.(?=[\p{L}\p{N}]))*`
const item = `${word}(?: ${word}){0,5}`
const joint = String.raw`(?:\s*[,;]\s*(?:and |or |& )?|\s+(?:and|or|plus|with|together with|as well as)\s+|\s*[&+]\s*|\n\s*[-*•]?\s*)`
const series = new RegExp(`${item}(?:${joint}${item}){1,30}`, 'gu')

/** Whether a word at the edge of an enumeration belongs to the sentence and not to an item. */
const isFrame = (filling: Pick<Filling, 'isName'>, it: string) => {
  const lower = it.toLowerCase()
  return (
    isEmpty(lower) ||
    isDeed(lower) ||
    (filling.isName(lower) && !/s$/.test(lower)) ||
    /^(?:taken?|together|combine[ds]?|between|interactions?|exist|mix|mixed|safe|extract|pull|list|include|including|namely)$/.test(
      lower,
    )
  )
}

const leading =
  /^(?:for|between|with|from|on|about|that|which|to|say|has|have|use|uses|grow|like|likes|want|wants|match|matches|contains?|includes?|covers?)$/i
const trim = (filling: Pick<Filling, 'isName'>, said: string, isFirst: boolean): string => {
  const all = said.split(' ')
  // The first item follows the words of the request: "that matches foo.txt", "interactions between zinc".
  const lead = isFirst ? all.findLastIndex((it, at) => at < all.length - 1 && (isFrame(filling, it) || leading.test(it))) : -1
  const words = all.slice(lead + 1)
  const isPortion = /^(?:an?|half|\d+)$/i.test(words[0] ?? '')
  while (words.length > 1 && /^(?:the|an?|my|your)$/i.test(words[0] ?? '')) words.shift()
  // An item ends before a preposition: "total out of" gives "total".
  const end = words.findIndex(
    (it, at) =>
      at > 0 &&
      // "A tin of tuna" is one item.
      !(isPortion && at < 4 && it === 'of') &&
      /^(?:starting|beginning|out|from|of|off|but|in|on|at|to|be|into|for|are|is|can|together|taken?|as|please|exist|per|with|do|does|have|has|gets?|goes|must|should|needs?|who|that|which|when|while|so)$/i.test(
        it,
      ),
  )
  const kept = end > 0 ? words.slice(0, end) : words
  while (kept.length > 0 && isEmpty(kept.at(-1) ?? '')) kept.pop()
  return kept.join(' ').replace(/[.,;:!?]+$/, '')
}

const splitter = new RegExp(joint, 'gu')
/** Finds enumerations in a sentence, such as "paracetamol, ibuprofen and lithium". */
export const inRow = (filling: Pick<Filling, 'isName'>, text: string): Found[] =>
  [...text.matchAll(series)].flatMap(match => {
    const parts = match[0].split(splitter)
    const value = parts.map((it, at) => trim(filling, it, at === 0)).filter(it => it !== '')
    return value.length > 1 ? [{ value, from: match.index, to: match.index + match[0].length }] : []
  })

const naming = /^(?:names?|people|persons?|guests?|attendees|participants|players|children)$/
const isNaming = ({ name }: Slot) => splitWords(name).some(it => naming.test(it))
const properName = /\p{Lu}[\p{L}\p{M}'’-]+(?: \p{Lu}[\p{L}\p{M}'’-]+)*/gu
/** Finds names in a row, which are written with capitals: "badges for Ida, Bo and Per, white thread". */
const namesInRow = (text: string): Found[] =>
  [...text.matchAll(series)].flatMap(match => {
    // A name ends the first part and begins the others: "present were Ida Lund, Bo and myself, Per".
    const parts = match[0].split(splitter)
    const value = parts.flatMap((it, at) => {
      const names = [...it.matchAll(properName)]
      const name = at === 0 ? names.at(-1) : names[0]
      const isPlaced = name && (at === 0 ? name.index + name[0].length === it.length : name.index === 0)
      return isPlaced ? [name[0]] : []
    })
    return value.length > 1
      ? [{ value, from: match.index, to: match.index + match[0].lastIndexOf(value.at(-1) ?? '') + (value.at(-1) ?? '').length }]
      : []
  })

const sizeOf = ({ value }: Found) => (Array.isArray(value) ? value.length : 0)
const longestOf = (rows: readonly Found[]): Found | undefined => rows.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0]

/** The items without the name of the list before the first one: "the chords Am, F". */
const withoutName = ({ path, name }: Slot, items: Json): Json => {
  const own = splitWords(path.at(-1) ?? name).at(-1) ?? ''
  const isNamed = (it: Json, at: number) => at === 0 && String(it).toLowerCase().startsWith(`${own} `)
  return Array.isArray(items) ? items.map((it, at) => (isNamed(it, at) ? String(it).slice(own.length + 1) : it)) : items
}

const ofPlaces = /^(?:cities|towns|places|countries|locations|destinations)$/
/** Finds known places that stand in different clauses: "my son is in Perth, my brother still in Glasgow". */
const placesIn = (text: string): Found[] => {
  const isDenied = ({ index }: RegExpMatchArray) => /(?<!\p{L})(?:not|without|except)\s$/iu.test(text.slice(0, index))
  const found = [...text.matchAll(properName)].filter(it => isKnownPlace(it[0]) && !isDenied(it))
  const [first, last] = [found[0], found.at(-1)]
  return first && last && first !== last
    ? [{ value: found.map(it => it[0]), from: first.index, to: last.index + last[0].length }]
    : []
}

/** Fills a list of names with those that somebody made up, which no dictionary has: "is mossyhollow free". */
const readCoined = ({ page, give }: Filling, slot: Slot): boolean => {
  const found = isNaming(slot) ? coined.find(page.rest()) : []
  if (found.length === 0 || !give(slot, [...new Set(found.map(it => it.values[0] ?? ''))], false)) return false
  for (const { from, to } of found) page.take(from, to)
  return true
}

const readRequired = (filling: Filling, slot: Slot): void => {
  const text = filling.page.rest()
  if (namesInRow(text).length === 0 && readCoined(filling, slot)) return
  const inRows = inRow(filling, text)
  const isRowOfPlaces = inRows.some(it => Array.isArray(it.value) && it.value.every(one => isKnownPlace(String(one))))
  const isStory = splitWords(slot.name).some(it => ofPlaces.test(it)) && !isRowOfPlaces
  const named = isNaming(slot) ? namesInRow(text) : isStory ? placesIn(text) : []
  const rows = named.length > 0 ? named : inRows
  const longest = longestOf(rows)
  if (!longest || !filling.give(slot, withoutName(slot, longest.value), false)) return
  // The words behind the last item are no part of the list: "a and b but not c".
  const last = Array.isArray(longest.value) ? String(longest.value.at(-1)) : ''
  const end = text.slice(longest.from, longest.to).lastIndexOf(last) + last.length
  filling.page.take(longest.from, longest.from + end)
}

/** Fills an optional list of people with the names that stand in a row. */
const readPeople = (filling: Filling, slot: Slot): boolean => {
  const rows = isNaming(slot) ? namesInRow(filling.page.rest()) : []
  const found = longestOf(rows)
  if (!found || !filling.give(slot, found.value)) return false
  filling.page.take(found.from, found.to)
  return true
}

const isOfTopics = /^(?:topics?|subjects?|themes?)$/
const aboutWhat = new RegExp(
  String.raw`(?<!\p{L})about\s+(${word}(?: ${word}){0,4}?)(?=\s*(?:$|[,.;!?\n\uE000]|(?:and|for|with|in|on)(?!\p{L})))`,
  'iu',
)
/** Fills an optional list only after a word of its name: "keywords bike and helmet". */
const readOptional = (filling: Filling, slot: Slot): void => {
  const name = splitWords(slot.name).at(-1) ?? ''
  if (name.length < 4) return
  const [, about = ''] = isOfTopics.test(name) ? (aboutWhat.exec(filling.page.rest()) ?? []) : []
  if (about !== '' && filling.give(slot, [about], false)) return
  const single = name.replace(/s$/, '')
  const pattern = new RegExp(
    String.raw`(?<![\p{L}])${single}s?\s*(?::|are|is|like|such as|of)?\s+(${item}(?:${joint}${item}){0,10})`,
    'iu',
  )
  const match = pattern.exec(filling.page.rest())
  const value = match?.[1]
    ?.split(splitter)
    .map(it => trim(filling, it, true))
    .filter(it => it !== '')
  if (!match || !value || value.length === 0 || !filling.give(slot, value, false)) return
  filling.page.take(match.index, match.index + match[0].length)
}

const longItems = 3
/** Fills the only open list with an enumeration of three items or more after a preposition, where no word is needed for a field. */
export const readLong = (filling: Filling): void => {
  const [slot, ...others] = filling.open('list').filter(it => it.members.length === 0)
  if (!slot || isLeftOut(slot) || formOfItems(slot) !== undefined) return
  const isOnly = others.length === 0 && filling.open('text', 'topic', 'name').every(it => !it.required)
  const text = filling.page.rest()
  const found = isOnly ? longestOf(inRow(filling, text)) : undefined
  const isLed = found && /(?<!\p{L})(?:for|of|with|like|grow|include|about)\s/iu.test(text.slice(found.from, found.from + 60))
  if (!found || sizeOf(found) < longItems || !isLed || !filling.give(slot, found.value, false)) return
  filling.page.take(found.from, found.to)
}

const denying = new RegExp(
  String.raw`(?<![\p{L}])(?:no|(?:but )?not|without(?: any)?|avoid(?:ing)?|except(?: for)?|allergic to|(?:hates?|dislikes?)|(?:do(?:es)?n['’]?t|nobody|never) (?:eats?|likes?|wants?))\s+(?<items>${word}(?:${joint}(?:no )?${word}){0,10})`,
  'giu',
)
/** Fills a list of what is to be left out: "no pork", "without onions and leek". */
const readLeftOut = (filling: Filling, slot: Slot): void => {
  const found = [...filling.page.rest().matchAll(denying)]
  const items = found
    .flatMap(it => (it.groups?.items ?? '').split(splitter))
    .map(it => trim(filling, it.replace(/^no /i, ''), false))
  const telling = items.filter(it => it !== '' && !isEmpty(it.toLowerCase()))
  if (telling.length === 0 || !filling.give(slot, telling, false)) return
  for (const it of found) filling.page.take(it.index, it.index + it[0].length)
}

const readFound = (filling: Filling, find: (text: string) => Found[]): void => {
  for (const slot of filling.open('list').filter(it => it.allowedItems.length === 0)) {
    const found = find(filling.page.rest()).find(it => !isObject(it.value) && slot.fits(it.value))
    if (found && filling.give(slot, found.value)) filling.page.take(found.from, found.to)
  }
}
/** Fills lists written as JSON, before what is quoted in them is read as values of other fields. Those of an object are its own. */
export const readLiterals = (filling: Filling): void =>
  readFound(filling, text => literals(text).filter(it => !text.slice(0, it.from).includes('{')))
/** Fills lists written as JSON or as rows of numbers, before their numbers are read individually. */
export const readMarkedLists = (filling: Filling): void => readFound(filling, marked)

/** Fills the remaining list fields. */
export const readLists = (filling: Filling): void => {
  for (const slot of filling.open('list')) readList(filling, slot)
}

const readList = (filling: Filling, slot: Slot): void => {
  if (slot.allowedItems.length > 0) readAllowed(filling, slot)
  else if (!slot.required || !readQuoted(filling, slot)) readUnquoted(filling, slot)
}

/** Whether a required list was filled from a quotation that fits it. */
const readQuoted = ({ page, give }: Filling, slot: Slot): boolean => {
  const found = quoted(page.rest()).find(it => slot.fits(it.value))
  if (!found || !give(slot, found.value)) return false
  page.take(found.from, found.to)
  return true
}

const readUnquoted = (filling: Filling, slot: Slot): void => {
  if (isLeftOut(slot)) readLeftOut(filling, slot)
  else if (slot.required) readRequired(filling, slot)
  else if (!readPeople(filling, slot)) readOptional(filling, slot)
}
