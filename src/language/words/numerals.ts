// Reads numbers as people write them: 1.250,50, 250k, forty-five, a dozen, half a.

const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
export const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ')
/** A number of a date or a time with at least two digits. */
export const pad = (value: number) => String(value).padStart(2, '0')
const valueByWord = new Map<string, number>([
  ...ones.map((word, value) => [word, value] as const),
  ...tens.map((word, at) => [word, (at + 2) * 10] as const),
  ['fourty', 40],
  ['couple', 2],
  ['dozen', 12],
])
const factorByWord = new Map<string, number>([
  ['hundred', 100],
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
])
const partByWord = new Map([
  ['half', 0.5],
  ['quarter', 0.25],
  ['quarters', 0.75],
])
const factorByLetter: Record<string, number> = { k: 1e3, m: 1e6, mio: 1e6, mn: 1e6, bn: 1e9 }

const digits = String.raw`\d{1,15}(?:[.,'’]\d{3}(?!\d)){0,5}(?:[.,]\d{1,18})?(?: ?(?:k|mio|mn|bn|thousand|million|billion)(?![\p{L}\p{N}])|m(?![\p{L}\p{N}²³/])(?=[ -](?:loan|mortgage|euros?|dollars?|pounds|usdc?|eur))| and (?:a half|a quarter|three quarters)(?![\p{L}\p{N}]))?`
const words = [...valueByWord.keys(), ...factorByWord.keys()].sort((a, b) => b.length - a.length).join('|')
const spoken = String.raw`(?:(?:${words}) point(?: (?:${ones.join('|')})){1,4}|half (?:an?|of an?)|(?:an? )?(?:quarter of an?)|(?:an? )?(?:${words})(?:(?:[ -]| and )(?:an? )?(?:${words}|half|quarter|three quarters)(?![\p{L}\p{N}])){0,6})(?![\p{L}\p{N}])`
/** Pattern of one number, in digits or words. */
export const numeral = `(?:${digits}|${spoken})`

/**
 * Parses digits: "1.250,50" equals "1,250.50". A single point before three digits is a decimal point; a single comma there
 * separates thousands, and so does a point before three zeros.
 */
const fromDigits = (text: string): number => {
  const plain = text.replace(/['’]/g, '')
  const last = Math.max(plain.lastIndexOf('.'), plain.lastIndexOf(','))
  if (last < 0) return Number(plain)
  const mark = plain.charAt(last)
  const isMixed = plain.includes('.') && plain.includes(',')
  const isRepeated = plain.indexOf(mark) !== last
  const isThousands = !isMixed && (isRepeated || /^\d{1,3}(?:,\d{3}|\.000)$/.test(plain))
  if (isThousands) return Number(plain.replaceAll(mark, ''))
  return Number(`${plain.slice(0, last).replace(/[.,]/g, '')}.${plain.slice(last + 1)}`)
}

const spokenYear = new RegExp(
  `^(?<century>nineteen|twenty)[ -](?<year>ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:${tens.join('|')})(?:[ -](?:${ones.slice(1, 10).join('|')}))?)$`,
)
const fromWords = (text: string): number => {
  // "Twenty twelve" and "nineteen ninety-five" are years.
  const { century, year } = spokenYear.exec(text)?.groups ?? {}
  if (century && year) return (century === 'twenty' ? 2000 : 1900) + fromWords(year)
  const [whole = '', parts] = text.split(' point ')
  if (parts) return Number(`${fromWords(whole)}.${parts.split(' ').map(fromWords).join('')}`)
  if (/^half /.test(text)) return 0.5
  if (/quarter of/.test(text)) return 0.25
  let [total, group] = [0, 0]
  for (const word of text.replace('three quarters', 'quarters').split(/[ -]+/)) {
    const factor = word === 'dozen' ? 12 : factorByWord.get(word)
    if (factor === undefined) group += partByWord.get(word) ?? valueByWord.get(word) ?? (/^\d/.test(word) ? fromDigits(word) : 0)
    else if (factor <= 100) group = Math.max(1, group) * factor
    else {
      total += Math.max(1, group) * factor
      group = 0
    }
  }
  return total + group
}

/** Returns the value of a text that `numeral` matched. */
export const toNumber = (said: string): number => {
  const text = said.toLowerCase().trim()
  const [, figure, unit = ''] = /^([\d.,'’]+) ?([a-z]*)$/.exec(text) ?? []
  if (figure === undefined) return fromWords(text)
  const value = fromDigits(figure) * (factorByLetter[unit] ?? factorByWord.get(unit) ?? 1)
  return Number(value.toPrecision(15))
}

const said = new RegExp(String.raw`(?<![\p{L}\p{N}])-?${numeral}(?<percent>\s?%| percent\b)?`, 'giu')
/** Only this many characters are searched for numbers; long material follows. */
const figureChars = 4000

/** Returns every number in a text. A percentage is included as written and as a fraction. */
export const spokenNumbers = (text: string): Set<number> => {
  const numbers = [...text.slice(0, figureChars).matchAll(said)].flatMap(match => {
    const percent = match.groups?.percent ?? ''
    const value =
      toNumber(match[0].slice(0, match[0].length - percent.length).replace(/^-/, '')) * (match[0].startsWith('-') ? -1 : 1)
    return percent ? [value, Number((value / 100).toPrecision(12))] : [value]
  })
  return new Set([...numbers, ...(text.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number)])
}
