import { stem } from './stem.ts'
import { splitWords } from './words.ts'

/** A unit of measurement. `factor` converts it to the base unit: seconds, metres, kilograms and so on. */
export type Unit = {
  dimension: 'time' | 'length' | 'area' | 'volume' | 'money' | 'percent' | 'weight' | 'energy' | 'angle' | 'pixel' | 'data'
  factor: number
}

const table: [string, Unit['dimension'], number][] = [
  ['second sec secs', 'time', 1],
  ['millisecond ms', 'time', 0.001],
  ['minute min mins', 'time', 60],
  ['hour hr hrs h', 'time', 3600],
  ['day', 'time', 86_400],
  ['night', 'time', 86_400],
  ['week', 'time', 604_800],
  ['fortnight', 'time', 1_209_600],
  ['month', 'time', 2_629_800],
  ['year yr yrs', 'time', 31_557_600],
  ['mm millimetre millimeter', 'length', 0.001],
  ['cm centimetre centimeter', 'length', 0.01],
  ['m metre meter', 'length', 1],
  ['km kilometre kilometer', 'length', 1000],
  ['inch', 'length', 0.0254],
  ['foot feet ft', 'length', 0.3048],
  ['mile', 'length', 1609.344],
  ['yard', 'length', 0.9144],
  ['euro eur dollar usd usdc buck pound gbp franc chf yen jpy quid zloty pln rupee inr krona sek', 'money', 1],
  ['percent %', 'percent', 1],
  ['kg kilo kilogram', 'weight', 1],
  ['g gram', 'weight', 0.001],
  ['mg milligram', 'weight', 1e-6],
  ['tonne ton t', 'weight', 1000],
  ['lb lbs', 'weight', 0.453592],
  ['ounce oz', 'weight', 0.0283495],
  ['kcal calorie', 'energy', 1],
  ['m2 sqm', 'area', 1],
  ['km2', 'area', 1e6],
  ['hectare ha', 'area', 1e4],
  ['acre', 'area', 4046.86],
  ['sqft ft2', 'area', 0.092903],
  ['litre liter l', 'volume', 0.001],
  ['ml millilitre milliliter', 'volume', 1e-6],
  ['m3', 'volume', 1],
  ['gallon', 'volume', 0.00378541],
  ['degree °', 'angle', 1],
  ['pixel px', 'pixel', 1],
  ['kb kilobyte', 'data', 1e3],
  ['mb megabyte', 'data', 1e6],
  ['gb gigabyte', 'data', 1e9],
  ['tb terabyte', 'data', 1e12],
]
const unitByStem = new Map(
  table.flatMap(([words, dimension, factor]) => words.split(' ').map(it => [stem(it), { dimension, factor }] as const)),
)
const signs: Record<string, Unit> = {
  '%': { dimension: 'percent', factor: 1 },
  '€': { dimension: 'money', factor: 1 },
  $: { dimension: 'money', factor: 1 },
  '£': { dimension: 'money', factor: 1 },
}

const squared = new Map<string, string>([
  ...['metre', 'meter', 'm'].flatMap(it => [[`sq ${stem(it)}`, 'm2'] as const, [`cu ${stem(it)}`, 'm3'] as const]),
  ...['foot', 'feet', 'ft'].map(it => [`sq ${stem(it)}`, 'sqft'] as const),
  ...['kilometre', 'kilometer', 'km'].map(it => [`sq ${stem(it)}`, 'km2'] as const),
])
const toSquared = (words: string): string => {
  const [power = '', unit = ''] = words.split(' ')
  return squared.get(`${power} ${stem(unit)}`) ?? words
}

/** Words that speak of the same measure: what is "1280 wide" has that width, and what is done "five times" takes five tries. */
const families = [
  'wide width across broad',
  'high height tall',
  'long length',
  'deep depth',
  'thick thickness',
  'times try tries attempt retry often repeat repetition repetitions',
  'heavy weight weigh',
  'value worth',
  'slope pitch incline tilt',
  'floor storey story level',
  'lat latitude',
  'lon lng longitude',
].map(it => it.split(' ').map(stem))

/** A term with all terms of the same measure. */
export const familyOf = (term: string): readonly string[] => families.find(it => it.includes(term)) ?? [term]

/** The unit that a word or sign names, in any inflection; undefined for any other word. */
export const unitOf = (word: string): Unit | undefined => signs[word] ?? unitByStem.get(stem(toSquared(word.toLowerCase())))

/** Returns the unit of a field from its name, else from its description. */
export const unitOfField = (name: string, description: string): Unit | undefined => {
  const named = splitWords(name)
    // Before other words, "min" is the least and no minute, and a letter is a symbol: `H_m` is in metres.
    .filter((it, at, all) => (it !== 'min' && it.length > 1) || at === all.length - 1)
    .map(unitOf)
    .filter(it => it !== undefined)
  // `days_per_week` counts days; `max_price_per_night` counts money.
  const isPaid = /(?:^|_)rate/i.test(name) && /\b(?:pay|paid|wage|price|cost|charge)\b|hourly/i.test(`${description} ${name}`)
  if (
    isPaid ||
    /price|budget|cost|fee|salary|wage|rent|principal|sum\b|loan(?![ _-]?(?:term|period|years|duration))|amount_(?:eur|usd)/i.test(
      name,
    )
  )
    return { dimension: 'money', factor: 1 }
  if (named[0]) return named[0]
  const square = /\b(?:square|sq\.?|cubic)\s+(\p{L}+)/iu.exec(description)
  if (square) return unitOf(`${square[0].slice(0, 2).toLowerCase()} ${square[1]}`)
  if (/percent|\brate\b|interest|%/i.test(`${name} ${description}`)) return { dimension: 'percent', factor: 1 }
  const told = /\bin (\p{L}+|%)/iu.exec(description)?.[1]
  return (
    (told && unitOf(told)) || (/\b(?:spend|pay|price|money)\b/i.test(description) ? { dimension: 'money', factor: 1 } : undefined)
  )
}

const sizing =
  '(?:enlarge|upscale|scale|multiply|divide|increase|decrease|raise|lower|reduce|resize|zoom|extend|shorten|speed|slow|shift|move|magnify)'
/** The word “by” as a part of a pattern, without a verb before it with which it says how much: "enlarge it by 2". */
export const plainBy = String.raw`by(?<!(?<!\p{L})${sizing}(?!\p{L})(?:(?! and | then )[^!?\n]){0,60}\sby)`
