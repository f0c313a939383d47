// Names of languages, countries and currencies from the Unicode tables (CLDR) of the JavaScript runtime.

const letters = [...'abcdefghijklmnopqrstuvwxyz']
const pairs = letters.flatMap(a => letters.map(b => a + b))

const namesOf = (type: 'language' | 'region' | 'currency', codes: readonly string[], locale = 'en'): [string, string][] => {
  const names = new Intl.DisplayNames([locale], { type, fallback: 'none' })
  return codes.flatMap(code => {
    const name = names.of(code)
    return name && name.toLowerCase() !== code.toLowerCase() ? [[plain(name), code] as [string, string]] : []
  })
}

/** Converts to lower case without accents. */
export const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Further names of languages, and languages with three-letter codes that users ask for. */
const moreLanguages: [string, string][] = [
  ['mandarin', 'zh'],
  ['farsi', 'fa'],
  ['gaelic', 'gd'],
  ['tagalog', 'tl'],
  ['flemish', 'nl'],
  ['castilian', 'es'],
  ['brazilian portuguese', 'pt'],
  ['filipino', 'fil'],
  ['hawaiian', 'haw'],
  ['cantonese', 'yue'],
  ['simplified chinese', 'zh'],
  ['traditional chinese', 'zh'],
]
/** Languages that are also listed under the name in their own language. */
const selfNamed = 'de fr es pt it nl pl sv da fi tr cs hu ro'.split(' ')

/** ISO 639 codes by language name, in English and in some languages themselves. Names are in lower case without accents. */
export const languages = once(
  () =>
    new Map([...selfNamed.flatMap(code => namesOf('language', [code], code)), ...namesOf('language', pairs), ...moreLanguages]),
)

/** Whether a region has this code today: FX is a former code of France. */
const isCurrent = (code: string) => new Intl.Locale(`und-${code}`).region === code

const moreCountries: [string, string][] = [
  ['usa', 'US'],
  ['us', 'US'],
  ['u.s.', 'US'],
  ['america', 'US'],
  ['the states', 'US'],
  ['uk', 'GB'],
  ['u.k.', 'GB'],
  ['great britain', 'GB'],
  ['britain', 'GB'],
  ['england', 'GB'],
  ['scotland', 'GB'],
  ['wales', 'GB'],
  ['holland', 'NL'],
  ['uae', 'AE'],
  ['czech republic', 'CZ'],
  ['turkey', 'TR'],
  ['burma', 'MM'],
  ['ivory coast', 'CI'],
  ['hong kong', 'HK'],
  ['bosnia', 'BA'],
  ['congo', 'CD'],
  ['south korea', 'KR'],
  ['russia', 'RU'],
]
/** ISO 3166 codes by English country name, in lower case without accents. */
export const countries = once(
  () => new Map([...namesOf('region', pairs.map(it => it.toUpperCase()).filter(isCurrent)), ...moreCountries]),
)

const moreCurrencies: [string, string][] = [
  ['$', 'USD'],
  ['us$', 'USD'],
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['¥', 'JPY'],
  ['₹', 'INR'],
  ['₩', 'KRW'],
  ['zł', 'PLN'],
  ['r$', 'BRL'],
  ['dollar', 'USD'],
  ['buck', 'USD'],
  ['greenback', 'USD'],
  ['euro', 'EUR'],
  ['pound', 'GBP'],
  ['quid', 'GBP'],
  ['sterling', 'GBP'],
  ['pound sterling', 'GBP'],
  ['yen', 'JPY'],
  ['swiss franc', 'CHF'],
  ['franc', 'CHF'],
  ['franken', 'CHF'],
  ['rupee', 'INR'],
  ['zloty', 'PLN'],
  ['złoty', 'PLN'],
  ['swedish krona', 'SEK'],
  ['swedish kronor', 'SEK'],
  ['swedish crown', 'SEK'],
  ['krona', 'SEK'],
  ['kronor', 'SEK'],
  ['norwegian krone', 'NOK'],
  ['norwegian kroner', 'NOK'],
  ['norwegian crown', 'NOK'],
  ['danish krone', 'DKK'],
  ['danish kroner', 'DKK'],
  ['danish crown', 'DKK'],
  ['czech crown', 'CZK'],
  ['real', 'BRL'],
  ['reai', 'BRL'],
  ['brazilian real', 'BRL'],
  ['brazilian reai', 'BRL'],
  ['canadian dollar', 'CAD'],
  ['loonie', 'CAD'],
  ['aussie dollar', 'AUD'],
  ['australian dollar', 'AUD'],
  ['american dollar', 'USD'],
  ['us dollar', 'USD'],
  ['yuan', 'CNY'],
  ['renminbi', 'CNY'],
  ['ruble', 'RUB'],
  ['rouble', 'RUB'],
  ['lira', 'TRY'],
  ['rand', 'ZAR'],
  ['shekel', 'ILS'],
  ['baht', 'THB'],
  ['forint', 'HUF'],
  ['won', 'KRW'],
]
/** ISO 4217 codes by English currency name in the singular, by code and by sign. */
export const currencies = once(() => {
  const codes = Intl.supportedValuesOf('currency')
  return new Map([...namesOf('currency', codes), ...codes.map(it => [it.toLowerCase(), it] as const), ...moreCurrencies])
})

/** Peoples whose names do not begin like that of their country. */
const peoples = new Map(
  (
    'american US,british GB,english GB,scottish GB,welsh GB,irish IE,french FR,dutch NL,spanish ES,swiss CH,polish PL,greek GR,' +
    'danish DK,finnish FI,turkish TR,indian IN,thai TH,filipino PH,emirati AE,iraqi IQ,cypriot CY,chinese CN,czech CZ,' +
    'german DE'
  )
    .split(',')
    .map(it => it.split(' ') as [string, string]),
)
const ofPeople = /^\p{L}{4,}(?:an|ish|ese|i|er|ic)$/u
/** Peoples of several countries. */
const ofSeveral = /^(?:dominican|congolese|guinean|korean|sudanese)$/
const rootLetters = 4
/** The country whose people a word names: "Brazilian" is of Brazil. */
export const countryOfPeople = (word: string): string | undefined => {
  const said = plain(word)
  if (ofSeveral.test(said)) return undefined
  const known = peoples.get(said)
  if (known || !ofPeople.test(said)) return known
  for (let root = said.slice(0, -1); root.length >= Math.max(rootLetters, said.length - 5); root = root.slice(0, -1)) {
    const all = [...countries()].filter(([name]) => name.startsWith(root) && !name.includes(' '))
    if (all.length > 0) return all.length === 1 || all[0]?.[0] === root ? all[0]?.[1] : undefined
  }
  return undefined
}

export type Named = { from: number; length: number; said: string; code: string }

/**
 * Finds all names of a table in a text, preferring the longest at each position. It looks up one to three words at a time, so
 * its time depends on the text and not on the table.
 */
export const findNames = (text: string, table: ReadonlyMap<string, string>): Named[] => {
  const words = [...text.matchAll(/[\p{L}\p{M}]+(?:['’.-][\p{L}\p{M}]+)*\.?|[$€£¥₹₩]/gu)]
  const found: Named[] = []
  for (let at = 0; at < words.length; at += 1) {
    for (let count = 4; count > 0; count -= 1) {
      const [first, last] = [words[at], words[at + count - 1]]
      if (!first || !last) continue
      const end = last.index + last[0].replace(/\.$/, '').length
      const said = text.slice(first.index, end)
      if (said.length > 60 || said.includes('\uE000')) continue
      const key = plain(said).replace(/\s+/g, ' ')
      const code = table.get(key) ?? (key.length > 3 ? table.get(key.replace(/s$/, '')) : undefined)
      if (code === undefined) continue
      found.push({ from: first.index, length: said.length, said, code })
      at += count - 1
      break
    }
  }
  return found
}
