import type { Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import { isEnglish } from '../words/englishWords.ts'
import { countries } from '../words/intl.ts'
import { isKnownPlace, joinedNames } from '../words/knownPlaces.ts'
import { isDeed, isEmpty, isOfPrice } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'
import { findAddresses } from './addresses.ts'

/** States of the United States; country names come from the Unicode tables. */
const states =
  'Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming|England|Scotland|Wales|USA|UK'
const regionNames = () =>
  `${states}|${[...countries().keys()]
    .filter(it => /^[a-z]{4,20}$/.test(it))
    .map(it => it.charAt(0).toUpperCase() + it.slice(1))
    .join('|')}`

// Reads places by the preposition before them. Lower-case places must also end a sentence or a phrase.

const part = String.raw`\p{Lu}(?:\.(?:\p{Lu}\.?)*|[\p{L}\p{M}\p{N}'’-]*)`
const joint = String.raw`(?: | (?:de|la|do|da|del|di|of|the|am|upon|an der|on|sur|el|and the) |, (?=\p{Lu}{2}(?!\p{L}))|, (?=(?:${regionNames()})(?!\p{L}))|, (?=D\.C\.))`
const named = String.raw`(?:(?:St|Ft|Mt)\. )?${part}(?:${joint}(?:(?:St|Ft|Mt)\. )?${part}){0,4}`
const capital = String.raw`(?:(?:${joinedNames()})(?!\p{L})|${named})`
const first =
  '(?:new|san|santa|sao|são|los|las|saint|st\\.?|el|la|le|les|buenos|hong|kuala|tel|abu|cape|fort|port|mexico|salt lake|rio de|addis|den|ho chi minh|phnom|panama|south|north|east|west|upper|lower|great|bad|isle of|lake|mount)'
const small = String.raw`(?:${first} )?\p{Ll}[\p{L}\p{M}'’-]+`
const edge = String.raw`(?<![\p{L}\p{N}])`
const stops = new Set(
  splitWords(
    `the a an my our your his her their this that these those me us it them him which what order general advance detail total time bed
    morning afternoon evening night day days week weeks month year weekend home work town city area place hotel budget person people two three four five six seven
    eight nine ten one case fact mind particular addition finding getting doing making first second last next least most best
    euros euro dollars usd usdc cash english stock style colour color white black red blue green january february march april may june july august
    september october november december monday tuesday wednesday thursday friday saturday sunday tomorrow today tonight noon midnight
    am pm by with without from to for at on in and or of board company team kids children friends family myself everyone school university
    take catch get leave come meet attend reach christmas easter breakfast lunch dinner bullets bullet words sentences detail short full front advance`,
  ),
)
const isPlace = (said: string, isCapital = /^\p{Lu}/u.test(said)): boolean => {
  const words = splitWords(said)
  return (
    words.length > 0 &&
    !words.every(it => stops.has(it) || isOfPrice(it) || (!isCapital && (isEmpty(it) || isDeed(it)))) &&
    !/^\d/.test(said)
  )
}

type Found = { text: string; from: number; to: number; isCapital: boolean }
const clean = (text: string) => text.replace(/[\s,.'’-]+$|['’]s$/g, '')

const toPattern = (lead: string): RegExp => {
  const leads = lead
    .split('|')
    .map(it => `${it}|${it.charAt(0).toUpperCase()}${it.slice(1)}|${it.toUpperCase()}`)
    .join('|')
  const article = String.raw`(?:the (?:city|town|village|island|port) of |downtown |central )?(?:the (?=\p{Lu}))?`
  return new RegExp(String.raw`${edge}(?:${leads})\s+${article}(?:(?<capital>${capital})|(?<small>${small}))`, 'gu')
}
const patterns = new Map<string, RegExp>()
/** Returns the pattern for a place after certain words. It is compiled once because it contains all country names. */
const patternFor = (lead: string): RegExp => {
  const pattern = patterns.get(lead) ?? toPattern(lead)
  patterns.set(lead, pattern)
  return pattern
}

const findAfter = (text: string, lead: string): Found[] => {
  const pattern = patternFor(lead)
  return [...text.matchAll(pattern)].flatMap(match => {
    const said = clean(match.groups?.capital ?? match.groups?.small ?? '')
    const from = match.index + match[0].lastIndexOf(match.groups?.capital ?? match.groups?.small ?? '')
    return isPlace(said) ? [{ text: said, from, to: from + said.length, isCapital: match.groups?.capital !== undefined }] : []
  })
}

/** Whether a sentence or phrase ends after a lower-case word, so that the word can be a place. */
const endsThere = (text: string, { to }: Found) =>
  /^\s*(?:$|[.,;:!?()\n\uE000\d-]|(?:for|from|to|in|near|on|at|with|without|by|under|and|next|this|please|plz|pls|is|are|like|right|now|today|the|over|leaving|going|around|about|tomorrow|tonight)(?!\p{L}))/iu.test(
    text.slice(to),
  )
const travel =
  /(?<![\p{L}])(?:go|going|fly|flying|drive|driving|travel|travell?ing|trip|tour|journey|flights?|train|trains|bus|buses|tickets?|ferry|from \S+|visit|move|moving|ride)\s+to\s+$/iu
const isLoose = /(?<![\p{L}])(?:for|of|over|about|at|to)\s+$/iu
/**
 * Whether the preposition before a lower-case word indicates a place. "To" does only with a verb of travel, and "for" only at
 * the end of a short text.
 */
const isLedTo = (text: string, { from, to }: Found): boolean => {
  const before = text.slice(Math.max(0, from - 40), from)
  if (/(?<![\p{L}])to\s+$/iu.test(before)) return travel.test(before)
  return !isLoose.test(before) || (text.length < 60 && text.slice(to).trim().length < 12 && !/(?<![\p{L}])at\s+$/iu.test(before))
}
const isReal = (filling: Filling) => (it: Found) =>
  it.isCapital ||
  (endsThere(filling.page.rest(), it) &&
    isLedTo(filling.page.rest(), it) &&
    !splitWords(it.text).some(word => filling.isOwn(word) || isDeed(word)))

const give = (filling: Filling, slot: Slot, it: Found | undefined): boolean => {
  // A name is no address: an address has a number, or several parts.
  const isNoAddress =
    slot.kind === 'address' &&
    it !== undefined &&
    !/[\d,]|(?:stra(?:ss|ß)e|street|road|lane|way|weg|allee|gasse)$/iu.test(it.text) &&
    !isKnownPlace(it.text)
  if (!it || isNoAddress || !filling.give(slot, it.text)) return false
  filling.page.take(it.from, it.to)
  return true
}

const arrow = new RegExp(
  String.raw`${edge}(?<from>${capital}|${small})\s*(?:\s(?:(?:over |across |through |on )?to|too|until|->|=>|–|—|-|→|>)\s|→|->)\s*(?<to>${capital}|${small})`,
  'gu',
)
/** Reads a route: "Rome to Oslo", "Rome - Oslo". */
const readRoute = (filling: Filling, from: Slot, to: Slot): void => {
  const text = filling.page.rest()
  for (const match of text.matchAll(arrow)) {
    const [a, b] = [clean(match.groups?.from ?? ''), clean(match.groups?.to ?? '')]
    const starts = match.index + match[0].indexOf(a)
    const ends = match.index + match[0].lastIndexOf(match.groups?.to ?? '')
    const trimmed = a.replace(/^(?:Flights?|Trains?|Bus|Tickets?|From|Fly|Connections?|Travel) /i, '')
    const offset = a.length - trimmed.length
    const isOk = (it: string) => isPlace(it) && !splitWords(it).some(word => isDeed(word) || filling.isOwn(word))
    if (!isOk(trimmed) || !isOk(b)) continue
    const found = [trimmed, b].map((it, at) => ({
      text: it,
      from: at === 0 ? starts + offset : ends,
      to: at === 0 ? starts + a.length : ends + it.length,
      isCapital: true,
    }))
    if (give(filling, from, found[0]) && give(filling, to, found[1])) return
  }
}

const leadsByRole = {
  from: ['from|out of|leaving|departing|departing from|leaving from'],
  to: ['to|into|towards|visit|visiting', 'in', 'for', 'at'],
  none: ['in|near|around|off|outside|inside|across', 'at|out of', 'for|to|of|over|about|from|visit|visiting|through'],
}

const alone = new RegExp(
  String.raw`(?<=[\p{Ll}\p{N},;:] )${capital}|(?<=(?:^|[\uE000])\s{0,3})${capital}(?=\s*(?:$|[,.?!\uE000]))`,
  'gu',
)
const fewWords = 6
/** Finds a capitalised place inside a sentence, or a short text that is only a place. */
const findAlone = (filling: Filling): Found | undefined => {
  const text = filling.page.rest()
  const names = [...text.matchAll(alone)]
    .map(it => ({ text: clean(it[0]), from: it.index, to: it.index + clean(it[0]).length, isCapital: true }))
    .filter(
      it =>
        isPlace(it.text, false) &&
        !/^(?:I|I['’]\p{L}+)$/u.test(it.text) &&
        (it.from > 0 || splitWords(text.replaceAll('\uE000', ' ')).length <= fewWords) &&
        !splitWords(it.text).every(word => filling.isOwn(word)),
    )
  const [name] = names
  return name ? withFirstWord(filling, name) : findLast(filling)
}

/** Adds a capitalised first word of the text that belongs to the name after it: "Cape Verde". */
const withFirstWord = (filling: Filling, found: Found): Found => {
  const text = filling.page.rest()
  const [, word = ''] = /^\s*(\p{Lu}[\p{L}'’-]+) $/u.exec(text.slice(0, found.from)) ?? []
  const isOther = word === '' || !isPlace(word, false) || filling.isOwn(word.toLowerCase())
  return isOther ? found : { ...found, text: `${word} ${found.text}`, from: found.from - word.length - 1 }
}

/** Finds the place in a text of few words, such as "weather oslo". */
const findLast = (filling: Filling): Found | undefined => {
  const text = filling.page.rest()
  const words = [...text.matchAll(/[\p{L}\p{M}'’-]+/gu)]
  if (words.length > fewWords) return undefined
  const bare = (it: string) => it.toLowerCase().replace(/['’].*$/, '')
  const telling = words.filter(
    it =>
      !isOfPrice(bare(it[0])) &&
      !isEmpty(bare(it[0])) &&
      !stops.has(it[0].toLowerCase()) &&
      !isDeed(it[0]) &&
      !filling.isOwn(it[0].toLowerCase()),
  )
  const [start, end] = [telling[0], telling.at(-1)]
  if (
    !start ||
    !end ||
    /(?<![\p{L}])(?:an?|the|some|my|our|to)\s+$/iu.test(text.slice(0, start.index)) ||
    telling.length > 2 ||
    (telling.length === 2 && end.index !== start.index + start[0].length + 1)
  )
    return undefined
  // "Cape Town", "Mexico City": the next capitalised word belongs to the name.
  const next = words[words.indexOf(end) + 1]
  const isNamed = [start, next].every(it => it && /^\p{Lu}/u.test(it[0])) && next?.index === end.index + end[0].length + 1
  const last = isNamed && next ? next : end
  const to = last.index + last[0].length
  const said = text.slice(start.index, to)
  // An ordinary word in small letters is no place: "4 times bigger".
  if (/^\p{Ll}/u.test(said) && splitWords(said).every(isEnglish) && !isKnownPlace(said)) return undefined
  return { text: said, from: start.index, to, isCapital: false }
}

const readPlace = (filling: Filling, slot: Slot): void => {
  const hasTwin = filling.slots.some(it => it !== slot && it.kind === slot.kind && it.role && it.role !== slot.role)
  const leads = slot.role === 'from' ? leadsByRole.from : slot.role === 'to' && hasTwin ? leadsByRole.to : [...leadsByRole.none]
  for (const lead of leads) {
    const [found] = findAfter(filling.page.rest(), lead).filter(isReal(filling))
    if (give(filling, slot, found)) return
  }
  const isOnly = slot.required && filling.open('place', 'address').filter(it => it.required).length === 1
  if (isOnly && !hasTwin) give(filling, slot, findAlone(filling))
}

const townWords = /^(?:city|town|region|state|capital|station|airport|harbou?r|port|area)$/
/** Whether a field takes a town, and not the whole address of a place in it. */
const isTown = ({ kind, name }: Slot) => kind === 'place' && splitWords(name).some(it => townWords.test(it))

/** Gives whole addresses to the fields for them. For a field of a town, the street before it is no part of the place. */
export const readAddresses = (filling: Filling): void => {
  const { page } = filling
  for (const slot of filling.open('address', 'place').filter(it => !isTown(it))) {
    const all = findAddresses(page.rest())
    const led = all.find(it => slot.role === 'to' && /(?<!\p{L})to\s+$/iu.test(page.rest().slice(0, it.from)))
    const [first] = all
    const it = led ?? first
    if (it && filling.give(slot, page.whole.slice(it.from, it.to))) page.take(it.from, it.to)
  }
  if (filling.open('place').some(isTown))
    for (const it of findAddresses(page.rest())) for (const part of it.unlocal) page.take(part.from, part.to)
}

/** Fills place fields. */
export const readPlaces = (filling: Filling): void => {
  if (filling.open('place', 'address').length === 0) return
  const slots = filling.open('place', 'address')
  const [from, to] = [slots.find(it => it.role === 'from'), slots.find(it => it.role === 'to')]
  if (from && to) readRoute(filling, from, to)
  // The departure has only one set of introducing words, so it is read first.
  const inOrder = filling.open('place', 'address').sort((a, b) => Number(b.role === 'from') - Number(a.role === 'from'))
  for (const slot of inOrder) readPlace(filling, slot)
}
