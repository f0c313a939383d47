import { isDeed, isEmpty } from '../words/vocabulary.ts'

// Finds postal addresses, as long as they go: flat, house number, street, postcode and town.

/** Alternatives in lower case and with a capital first letter. */
const eitherCase = (words: string) =>
  words
    .split(' ')
    .flatMap(it => [it, it.charAt(0).toUpperCase() + it.slice(1)])
    .join('|')
const capital = String.raw`(?:(?:St|Ste|Mt|Ave|Rd|Dr|Sq|Ln|Str|Blvd)\.|\p{Lu}(?:\.|[\p{L}\p{M}'’-]*)|(?:de|la|le|du|del|della|di|da|do|dos|des|von|van|den|der|upon|the|of|und|y)(?= \p{Lu}))`
const house = String.raw`\d{1,5}(?: ?[a-hA-H](?!\p{L}))?(?:[-/]\d{1,4}[a-hA-H]?)?`
/** Words for a street that follow its name, are a part of it, or precede it. */
const types = eitherCase(
  'street st road rd avenue ave lane ln drive dr boulevard blvd way square sq place pl court ct crescent close terrace row hill quay alley highway hwy parkway gate gata gatan vei veien vej plass',
)
const plainTypes = 'street|st|road|rd|avenue|ave|lane|boulevard|blvd|crescent'
const endings = String.raw`\p{Lu}[\p{L}-]*(?:straße|strasse|str\.?|weg|allee|gasse|platz|ring|ufer|damm|straat|laan|gade|vej|gatan|gata|katu|utca)`
const leading = eitherCase('rue via calle avenida av plaza piazza rua place avenue boulevard quai paseo carrer ul ulica platz')
const postcode = String.raw`(?:[A-Z]{1,2}-)?(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|\d{4,6}(?:-\d{3,4})?|[A-Z]\d[A-Z] ?\d[A-Z]\d)`
const flat = String.raw`(?:(?:${eitherCase('flat apt apartment suite unit floor room')})\.? ?#?\p{N}[\p{L}\p{N}]{0,4}|#\d{1,5}|\d{1,2}(?:st|nd|rd|th|º|ª|°)(?: floor)?)`
const named = `(?:${postcode}|${capital})(?: (?:${postcode}|${capital})){0,4}`
/** The parts after the street: after a comma a flat, a town or a postcode; without a comma a flat or a postcode. */
const tail = String.raw`(?:,? ${flat})?(?:,\s?(?:${flat}|${named})|,? ${postcode}(?: ${capital}){0,3}){0,5}`

const edge = String.raw`(?<![\p{L}\p{N}.,/-])`
const end = String.raw`(?![\p{L}\p{N}])`
const patterns = [
  `(?:${flat},? )?${house},? (?:${capital} ){1,4}(?:${types})${end}\\.?(?: (?!${flat})${capital}){0,2}${tail}`,
  `${house},? (?:${leading})\\.? ${named}${tail}`,
  `(?:${leading})\\.? (?:${capital} ){0,3}${capital},? ${house}${end}${tail}`,
  `(?:${capital} ){1,3}(?:${types}) ${house}${end}${tail}`,
  `(?:${capital} ){0,2}${endings} ${house}${end}${tail}`,
  `(?:${capital} ){1,3}${house},\\s?${postcode} ${capital}(?: ${capital}){0,2}`,
  `${house} ${capital}(?: ${capital}){1,4}(?:,\\s?(?:${flat}|${named})){1,5}`,
].map(it => new RegExp(`${edge}${it}${end}`, 'gu'))
const plain = new RegExp(String.raw`${edge}${house} (?:\p{L}+ ){1,3}(?:${plainTypes})${end}`, 'giu')
const postcodes = new RegExp(`(?<![\\p{L}\\p{N}])${postcode}${end}`, 'gu')
const nextWord = /^,? ([\p{L}\p{N}]+)/u

/** Where a town in lower case ends that follows an address in lower case: "12 baker street london". */
const withTown = (text: string, to: number): number => {
  const [said = '', word = ''] = nextWord.exec(text.slice(to)) ?? []
  const isTown = /^\p{L}{3,}$/u.test(word) && !isEmpty(word) && !isDeed(word)
  return isTown ? to + said.length : to
}

type Part = { from: number; to: number }
/** A postal address. `unlocal` are its parts that do not name the town: the street with its house number, and postcodes. */
export type Address = Part & { unlocal: Part[] }

/** Returns the postal addresses of a text in order. */
export const findAddresses = (text: string): Address[] => {
  // Every address has a number, and most texts have none.
  if (!/\d/.test(text)) return []
  const found: Address[] = []
  const add = (from: number, to: number) => {
    if (found.some(it => from < it.to && to > it.from)) return
    const comma = text.slice(from, to).search(/(?<=\p{L}[^,]*),/u)
    const streetTo = comma < 0 ? to : from + comma
    const codes = [...text.slice(streetTo, to).matchAll(postcodes)].map(({ 0: said, index }) => ({
      from: streetTo + index,
      to: streetTo + index + said.length,
    }))
    found.push({ from, to, unlocal: [{ from, to: streetTo }, ...codes] })
  }
  for (const pattern of patterns)
    for (const { 0: said, index } of text.matchAll(pattern)) add(index, index + said.trimEnd().length)
  for (const { 0: said, index } of text.matchAll(plain)) add(index, withTown(text, index + said.length))
  return found.sort((a, b) => a.from - b.from)
}
