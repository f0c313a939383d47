import { stem } from './stem.ts'
import { splitWords } from './words.ts'

/** A unit of measurement. `factor` converts it to the base unit: seconds, metres, kilograms and so on. */
export type Unit = { dimension: 'time' | 'length' | 'money' | 'percent' | 'weight' | 'energy'; factor: number }

const table: [string, Unit['dimension'], number][] = [
  ['second sec secs', 'time', 1],
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
  ['euro eur dollar usd usdc buck pound gbp franc chf yen jpy quid zloty pln rupee inr krona sek', 'money', 1],
  ['percent %', 'percent', 1],
  ['kg kilo kilogram', 'weight', 1],
  ['g gram', 'weight', 0.001],
  ['kcal calorie', 'energy', 1],
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

/** The unit that a word or sign names, in any inflection; undefined for any other word. */
export const unitOf = (word: string): Unit | undefined => signs[word] ?? unitByStem.get(stem(word.toLowerCase()))

/** Returns the unit of a field from its name, else from its description. */
export const unitOfField = (name: string, description: string): Unit | undefined => {
  const named = splitWords(name)
    .map(unitOf)
    .filter(it => it !== undefined)
  // `days_per_week` counts days; `max_price_per_night` counts money.
  if (/price|budget|cost|fee|salary|rent|principal|sum\b|loan|amount_(?:eur|usd)/i.test(name))
    return { dimension: 'money', factor: 1 }
  if (named[0]) return named[0]
  if (/percent|\brate\b|interest|%/i.test(`${name} ${description}`)) return { dimension: 'percent', factor: 1 }
  const told = /\bin (\p{L}+|%)/iu.exec(description)?.[1]
  return (
    (told && unitOf(told)) || (/\b(?:spend|pay|price|money)\b/i.test(description) ? { dimension: 'money', factor: 1 } : undefined)
  )
}
