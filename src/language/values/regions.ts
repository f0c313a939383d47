import { respell } from '../../domain/text/spelling.ts'
import type { Slot } from '../fields/fields.ts'
import type { Filling } from '../fields/filling.ts'
import { countries, countryOfPeople, currencies, findNames, languages, type Named, plain } from '../words/intl.ts'
import { toTokens } from '../words/tokens.ts'
import { sideOf as sideBefore } from './lead.ts'

// Reads languages, countries and currencies for fields that accept any text.

const englishNames = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
const wantsCode = /\bISO[ -]?(?:639|3166|4217)|\bcode\b/i

const sideOf = (text: string, { from }: Named): 'from' | 'to' | undefined => {
  const before = text.slice(Math.max(0, from - 16), from)
  if (/\b(?:into|to|in|too|ins|nach)\s+$/i.test(before)) return 'to'
  return /\bfrom\s+(?:the\s+)?$/i.test(before) ? 'from' : undefined
}

/** Finds misspelled language names, only in words of five letters or more. */
let longNames: string[] | undefined
const misspelt = (text: string): Named[] => {
  longNames ??= [...languages().keys()].filter(it => it.length > 4)
  const known = longNames
  return toTokens(text).flatMap(({ word, from, to }) => {
    const right = word.length > 4 ? respell(word, known) : word
    const code = right === word ? undefined : languages().get(right)
    return code ? [{ from, length: to - from, said: right, code }] : []
  })
}

/** Whether a field takes the code of a language, and not its name. */
export const takesLanguageCode = ({ description }: Pick<Slot, 'description'>): boolean => wantsCode.test(description)

const languageValue = (slot: Slot, { said, code }: Named): string =>
  takesLanguageCode(slot) ? code : (englishNames.of(code) ?? said)

const respeltChars = 1000

const readLanguages = (filling: Filling): void => {
  for (const slot of filling.open('language')) {
    const text = filling.page.rest()
    // Short matches are ignored: two or three letters are usually another word.
    const said = findNames(text, languages()).filter(it => it.said.length > 3)
    const all = said.length > 0 ? said : misspelt(text.slice(0, respeltChars))
    const sided = all.map(it => ({ ...it, side: sideOf(text, it) }))
    const hasTwin = filling.slots.some(it => it !== slot && it.kind === 'language')
    const found =
      slot.role && hasTwin
        ? (sided.find(it => it.side === slot.role) ??
          (slot.role === 'to' && sided.length === 1 && sided[0]?.side === undefined ? sided[0] : undefined))
        : (sided.find(it => it.side === 'to') ?? sided[0])
    if (found && filling.give(slot, languageValue(slot, found))) filling.page.take(found.from, found.from + found.length)
  }
  for (const slot of filling.slots.filter(
    it => it.kind === 'list' && /\blanguages?\b/i.test(`${it.name} ${it.description}`) && !filling.values.has(it.name),
  )) {
    const all = findNames(filling.page.rest(), languages()).filter(it => it.said.length > 3)
    if (all.length > 0 && filling.give(slot, [...new Set(all.map(it => englishNames.of(it.code) ?? it.said))]))
      for (const it of all) filling.page.take(it.from, it.from + it.length)
  }
}

const passport =
  /(?<![\p{L}])(?:an? |my |the )?(\p{L}[\p{L}-]{2,20}(?: \p{Lu}[\p{L}-]{2,20})?) (?:passport|citizen(?:ship)?|national(?:ity)?)(?!\p{L})/giu
const passportFrom = /(?:passport|citizen(?:ship)?|national)(?: (?:is|from|of|issued (?:in|by)))+ (?:the )?/giu
const isPassport = /nationality|citizen|passport/i
const empty =
  /^(?:an?|my|the|your|his|her|their|our|valid|with|hold|have|has|old|new|second|dual|this|that|what|which|foreign|diplomatic|own)$/i

const readNationality = (filling: Filling, slot: Slot): boolean => {
  const text = filling.page.rest()
  for (const match of text.matchAll(passport)) {
    const word = (match[1] ?? '').replace(/^(?:an?|my|the|hold|have) /i, '')
    const code = countryOfPeople(word)
    const isGiven = filling.give(slot, word.charAt(0).toUpperCase() + word.slice(1)) || filling.give(slot, code)
    if (empty.test(word) || !isGiven) continue
    const from = match.index + match[0].indexOf(word)
    filling.page.take(from, from + word.length)
    return true
  }
  const all = findNames(text, countries())
  const lead = [...text.matchAll(passportFrom)].map(it => it.index + it[0].length)
  const found =
    all.find(it => lead.includes(it.from)) ??
    all.find(it =>
      /\b(?:i['’]?m|i am|we are|we['’]re|come|citizens?) (?:a citizen )?(?:from|of)\s+(?:the )?$/i.test(
        text.slice(Math.max(0, it.from - 30), it.from),
      ),
    )
  if (!found || !giveCountry(filling, slot, found)) return false
  filling.page.take(found.from, found.from + found.length)
  return true
}

const regionNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
const toCountry = ({ said, code }: Named): string =>
  said.length <= 4 || plain(said) === said ? (regionNames.of(code) ?? said) : said

/** Gives the name of a country, or its code where the field asks for codes or takes no name. */
const giveCountry = ({ give }: Filling, slot: Slot, found: Named): boolean =>
  (!wantsCode.test(slot.description) && give(slot, toCountry(found))) || give(slot, found.code)

const capitals = /(?<![\p{L}\p{N}])\p{Lu}{2}(?![\p{L}\p{N}])/gu
/** The countries that are said by their code, in capitals. */
const findCodes = (text: string): Named[] =>
  [...text.matchAll(capitals)].flatMap(({ 0: said, index }) =>
    regionNames.of(said) ? [{ from: index, length: said.length, said, code: said }] : [],
  )

const readCountries = (filling: Filling): void => {
  const slots = filling.open('country')
  for (const slot of slots.filter(it => isPassport.test(`${it.name} ${it.description}`))) readNationality(filling, slot)
  for (const slot of slots.filter(it => !filling.values.has(it.name) && !isPassport.test(`${it.name} ${it.description}`))) {
    const text = filling.page.rest()
    // Short country codes count only in capitals, because "us" and "in" are ordinary words.
    const named = findNames(text, countries()).filter(it => it.said.length > 3 || it.said === it.said.toUpperCase())
    const codes = findCodes(text)
    // The codes of a journey tell its ends: "from IE D08 X2Y3 to AT 8010".
    const all = codes.length > 1 && named.length > 0 ? [...codes, ...named] : named.length > 0 ? named : codes
    const hasTwin = slot.role !== undefined && filling.slots.some(it => it.kind === 'country' && it.role && it.role !== slot.role)
    const found = hasTwin
      ? (all.find(it => sideBefore(text, it.from) === slot.role) ?? all.find(it => sideBefore(text, it.from) === undefined))
      : (all.find(it => sideOf(text, it) === 'to') ?? all.find(it => sideOf(text, it) !== 'from') ?? all[0])
    if (found && giveCountry(filling, slot, found)) filling.page.take(found.from, found.from + found.length)
  }
}

/** Whether a field takes a currency: by its kind, or as a code of three letters where the listing speaks of currencies. */
const isCurrency = (filling: Filling, slot: Slot): boolean =>
  slot.kind === 'currency' ||
  (slot.kind === 'code' &&
    slot.fits('EUR') &&
    !slot.fits('Euro') &&
    ['currency', 'currencies', 'exchange'].some(it => filling.isListed(it)))

const readCurrencies = (filling: Filling): void => {
  for (const slot of filling.open('currency', 'code').filter(it => isCurrency(filling, it))) {
    const text = filling.page.rest()
    const all = findNames(text, currencies())
    const twin = filling.slots.some(it => it !== slot && isCurrency(filling, it))
    const isStart = (it: Named) =>
      /\d\s?$/.test(text.slice(Math.max(0, it.from - 3), it.from)) ||
      /^\s?\d/.test(text.slice(it.from + it.length, it.from + it.length + 2)) ||
      sideOf(text, it) === 'from'
    const found = slot.role && twin ? all.find(it => (slot.role === 'from' ? isStart(it) : !isStart(it))) : all[0]
    if (found && filling.give(slot, found.code)) filling.page.take(found.from, found.from + found.length)
  }
}

/** Fills fields for currencies, languages and countries by name. */
export const readRegions = (filling: Filling): void => {
  readCurrencies(filling)
  readLanguages(filling)
  readCountries(filling)
}
