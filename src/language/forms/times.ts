import { plainBy } from '../words/measures.ts'
import { numeral, pad, toNumber } from '../words/numerals.ts'

// Finds times of day: 9pm, 19:30, half past two in the afternoon, noon.

const hours = String.raw`(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)`
const half = String.raw`(?: ?(?:[ap]\.?m\.?(?![\p{L}\p{N}]))| o['’]?clock| sharp)`
const part = `(?:,? (?:in the (?:early |late )?(?:morning|afternoon|evening)|at night|(?:this|tomorrow) (?:morning|afternoon|evening)|tonight))`
const edge = String.raw`(?<![\p{L}\p{N}.:€$£])`
const spoken = new RegExp(
  [
    String.raw`(?<past>half past|quarter past|quarter to|(?:${numeral}) (?:minutes )?(?:past|to)) (?<h1>${hours})(?![\d:])${half}?${part}?`,
    String.raw`(?<h2>[01]?\d|2[0-3])[:h.](?<m2>[0-5]\d)(?::[0-5]\d)?(?![\d:]|\.\d)${half}?${part}?`,
    `(?<h3>${hours})${half}${part}?`,
    String.raw`(?:at|after|before|from|(?<!\d\s?\p{L}{0,12}\s)${plainBy}|around|past|until) (?<h4>${hours})(?= (?:in the|tonight|at night)|\s*(?:$|[.,](?!\d)|[;!?\n\uE000]|(?:and|for|on|with|please|in|name|under)(?![\p{L}\p{N}])))${part}?`,
    `(?<h5>${hours})${part}`,
    String.raw`(?:at )?(?<word>noon|midday|midnight)(?![\p{L}])`,
  ]
    .map(it => `${edge}(?:${it})`)
    .join('|'),
  'giu',
)
const offsets: Record<string, number> = { 'half past': 30, 'quarter past': 15, 'quarter to': -15 }

const toClock = ({ 0: said, groups }: RegExpMatchArray): string | undefined => {
  const { past, h1, h2, m2, h3, h4, h5, word } = groups ?? {}
  if (word) return /midnight/i.test(word) ? '00:00' : '12:00'
  const offset = past ? (offsets[past.toLowerCase()] ?? toNumber(past) * (/ to$/i.test(past) ? -1 : 1)) : Number(m2 ?? 0)
  const hour = toNumber(h1 ?? h2 ?? h3 ?? h4 ?? h5 ?? '')
  const isLate = /p\.?m|afternoon|evening|night/i.test(said)
  const isEarly = /\d ?a\.?m|morning/i.test(said)
  if (hour > 24 || ((isLate || isEarly) && hour > 12 && !m2)) return undefined
  const inDay = isLate && hour < 12 ? hour + 12 : isEarly && hour === 12 ? 0 : hour
  const minutes = (inDay * 60 + offset + 1440) % 1440
  return `${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
}

export type Clock = { from: number; length: number; said: string; clock: string }
/** Words before a time of day. */
const lead = /(?:(?<!\p{L})(?:at|by|from|to|until|till|before|after|around|about|and)|\d\s?[-–])\s*$/iu
/** Finds all times of day in a text, with their position and their clock form. */
export const findTimes = (text: string): Clock[] =>
  [...text.matchAll(spoken)].flatMap(match => {
    // "0.25" is a number, and "at 7.30" a time.
    if (/^\d+\.\d+$/.test(match[0]) && !lead.test(text.slice(Math.max(0, match.index - 12), match.index))) return []
    const clock = toClock(match)
    return clock ? [{ from: match.index, length: match[0].length, said: match[0], clock }] : []
  })
