import type { Filling } from '../fields/filling.ts'
import { unitOf } from '../words/measures.ts'
import { numeral } from '../words/numerals.ts'
import { isDeed, isEmpty } from '../words/vocabulary.ts'
import { splitWords } from '../words/words.ts'

// Reads unit names: "26.2 miles in km", "180 C in F", "how many pounds are 12 kilos".

const unit = String.raw`(?:°\s?\p{L}|(?:square |cubic |fl |fluid |metric |us |nautical )?\p{L}[\p{L}²³]{0,20}(?:(?: per |/)\p{L}{1,12})?)`
const counted = new RegExp(
  String.raw`(?<![\p{L}\p{N}])${numeral}\s?(?:degrees? (?!in\b|to\b))?(?<unit>${unit})(?![\p{L}\p{N}])`,
  'giu',
)
const wanted = new RegExp(
  String.raw`(?:(?<![\p{L}])(?:in|to|into|as)|(?<![\p{L}])(?:many|much)|=|→|->)\s+(?<unit>${unit})(?![\p{L}\p{N}])`,
  'giu',
)
const origin = new RegExp(String.raw`(?<!\p{L})from\s+(?<unit>${unit})(?![\p{L}\p{N}])`, 'giu')
const bare = new RegExp(String.raw`(?<![\p{L}\p{N}])(?<unit>${unit})(?![\p{L}\p{N}])`, 'giu')

const more = new RegExp(String.raw`^(?:,? and|,)? ${numeral} ?\p{L}{2,12}(?!\p{L})`, 'iu')

type Found = { text: string; from: number }
const find = (text: string, pattern: RegExp): Found[] =>
  [...text.matchAll(pattern)].flatMap(match => {
    const said = match.groups?.unit ?? ''
    // What is done is no unit: "to calculate".
    const isVerb = unitOf(said) === undefined && isDeed(said.toLowerCase())
    return isVerb || isEmpty(said.toLowerCase()) || /^(?:is|are|x|by)$/i.test(said)
      ? []
      : [{ text: said, from: match.index + match[0].lastIndexOf(said) }]
  })

const isNamedUnit = (text: string) =>
  unitOf(text) !== undefined || /^(?:celsius|fahrenheit|kelvin|pascal|newton|joule|watt|hertz|volt)/i.test(text)

/**
 * Whether a word can be a unit. A capitalised word must be a known unit or be named after a scientist; otherwise it is a place.
 */
const isUnit = (text: string) => isNamedUnit(text) || !/^\p{Lu}\p{Ll}{2}/u.test(text)

/** Fills fields for the source and target unit of a conversion. */
export const readUnits = (filling: Filling): void => {
  const { page } = filling
  for (const slot of filling.open('unit').sort((a, b) => Number(b.role === 'from') - Number(a.role === 'from'))) {
    const text = page.rest()
    const isShort = splitWords(text).length <= 3
    const origins = isShort ? find(text, origin).filter(it => isNamedUnit(it.text)) : []
    const known = isShort ? find(text, bare).filter(it => isNamedUnit(it.text) && !origins.some(one => one.from === it.from)) : []
    const [found] =
      slot.role === 'from'
        ? [...find(text, counted), ...origins]
        : [...find(text, wanted).filter(it => isUnit(it.text)), ...known]
    // The unit of an amount in two units is a part of the amount.
    const isPart = found && more.test(text.slice(found.from + found.text.length))
    if (found && filling.give(slot, found.text) && !isPart) page.take(found.from, found.from + found.text.length)
  }
}
