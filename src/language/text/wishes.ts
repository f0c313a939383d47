import { dayMs, minuteMs } from '../../domain/durations.ts'

// Wishes of a user besides the task itself: deadline, chain and category. Code reads them, whichever model is configured.

/** Characters of a message that are searched for wishes. Text after these is material. */
const wishChars = 4000

export type Taken<T> = { found: T | undefined; rest: string }

const minutesByUnit: [RegExp, number][] = [
  [/^m(?:in|$)/i, 1],
  [/^h/i, 60],
  [/^d/i, 24 * 60],
  [/^w/i, 7 * 24 * 60],
]
const amount = String.raw`(?:\d{1,4}(?:\.\d)?|an?|one|two|three|four|five|six|ten|half an?|a couple of)`
const unit = '(?:minutes?|mins?|hours?|hrs?|h|days?|weeks?)'
const span = String.raw`${amount} ?${unit}\b`
export const clock = String.raw`(?:noon|midnight|\d{1,2}(?::\d{2})? ?(?:[ap]\.?m\b\.?)?(?: o'clock)?)`
const weekdays = 'sunday|monday|tuesday|wednesday|thursday|friday|saturday'
export const dayPart = '(?:morning|afternoon|evening|night)'
const moment = [
  `(?:tomorrow|today)(?: (?:at )?${clock}| ${dayPart})?`,
  'tonight',
  '(?:the )?end of (?:the |this )?(?:day|week)',
  `(?:next |this )?(?:${weekdays})(?: ${clock}| ${dayPart})?`,
  `${clock}(?: (?:tomorrow|today))?`,
].join('|')

const within = new RegExp(
  String.raw`\b(?:within|(?:in|for) (?:less than|under|at most|max(?:imum)?|no more than)|no later than in|in the next)(?: the next)? ${span}`,
  'i',
)
// "In ten minutes" is a deadline only after words of need: the weather in ten minutes is not.
const neededIn = new RegExp(String.raw`(?<=\b(?:need|want|done|ready|finished|delivered|back|it|this|that) )in ${span}`, 'i')
const by = new RegExp(String.raw`\b(?:by|before|until|no later than) (?:${moment})(?!\p{L}|\d)`, 'iu')

/**
 * Pattern sources of a span that the user accepts: "by this evening, two hours is ok", "by noon or in 15 min". It counts
 * before any other deadline of the message.
 */
export const toAcceptedSpans = (oneSpan: string): string[] => [
  String.raw`(?:it |that )?(?:can|may|could) (?:take|wait)(?: up to| at most)?\s+${oneSpan}`,
  `${oneSpan} (?:is|are|would be) (?:also |too )?(?:ok(?:ay)?|fine|enough|alright|all right|good)`,
  `or in ${oneSpan}`,
]
const accepted = new RegExp(String.raw`\b(?:${toAcceptedSpans(span).join('|')})(?!\p{L})`, 'iu')

/** The deadline phrase of a message, as written, and the message without it. */
export const takeDeadline = (message: string): Taken<string> => {
  for (const pattern of [accepted, within, neededIn, by]) {
    const [found] = pattern.exec(message.slice(0, wishChars)) ?? []
    if (found) return { found, rest: message.replace(found, ' ') }
  }
  return { found: undefined, rest: message }
}

const numbers: Record<string, number> = { a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, ten: 10 }
const hoursByPart: Record<string, number> = { morning: 12, afternoon: 18, evening: 21, night: 24 }

const spanMinutes = (words: string): number | undefined => {
  const [, count = '', name = ''] = new RegExp(String.raw`(${amount}) ?(${unit})\b`, 'i').exec(words) ?? []
  const factor = minutesByUnit.find(([pattern]) => pattern.test(name))?.[1]
  if (!factor) return undefined
  const lower = count.toLowerCase()
  const many = lower.startsWith('half') ? 0.5 : lower.startsWith('a couple') ? 2 : (numbers[lower] ?? Number(lower))
  return Math.round(many * factor)
}

/** Minutes after midnight of a clock time; the end of the day without one. */
const clockMinutes = (words: string): number => {
  if (/noon\b(?<!afternoon)/i.test(words)) return 12 * 60
  const [, hours, minutes = '0', half = ''] = /\b(\d{1,2})(?::(\d{2}))? ?([ap])?\.?(?:m\b)?/i.exec(words) ?? []
  if (hours !== undefined)
    return (Number(hours) % (half ? 12 : 24)) * 60 + Number(minutes) + (half.toLowerCase() === 'p' ? 12 * 60 : 0)
  const part = Object.keys(hoursByPart).find(it => words.toLowerCase().includes(it))
  return (part ? (hoursByPart[part] ?? 24) : 24) * 60
}

const daysAhead = (words: string, today: number): number => {
  if (/tomorrow/i.test(words)) return 1
  const day = weekdays.split('|').findIndex(it => words.toLowerCase().includes(it))
  if (day >= 0) return (day - today + 7) % 7 || 7
  return /end of (?:the |this )?week/i.test(words) ? (7 - today) % 7 : 0
}

/**
 * Minutes from `now` (epoch ms) to a deadline. A clock time is in UTC, and one that has passed means tomorrow. Undefined when
 * the words cannot be parsed.
 */
export const toMinutes = (deadline: string, now: number): number | undefined => {
  const counted = spanMinutes(deadline)
  if (counted !== undefined) return counted
  if (!by.test(deadline)) return undefined
  const at = new Date(now)
  const midnight = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate())
  const end = midnight + daysAhead(deadline, at.getUTCDay()) * dayMs + clockMinutes(deadline) * minuteMs
  return Math.floor(((end > now ? end : end + dayMs) - now) / minuteMs)
}

const chainWords: [string, number][] = [
  ['base sepolia|base testnet', 84532],
  ['(?:bsc|bnb(?: smart)?(?: chain)?|binance(?: smart)?(?: chain)?) testnet', 97],
  ['x ?layer testnet', 1952],
  ['(?:bsc|bnb(?: smart)?(?: chain)?|binance smart chain)(?: mainnet)?', 56],
  ['base(?: mainnet)?', 8453],
]
// What may follow a chain name: the end, punctuation or another wish. "On base pairs" names no chain.
const afterChain = String.raw`(?: (?:chain|network))?(?=\s*(?:$|[.,;:!?)\n]|\b(?:for|under|with|within|please|at|by|and|using|below|up)\b))`
// "Using the base and the height" speaks of a triangle.
const article = '(?:the (?!base(?! (?:chain|network|mainnet|sepolia|testnet))))?'
const chainPatterns = chainWords.map(
  ([words, id]) => [new RegExp(String.raw`\b(?:on|via|over|using) ${article}(?:${words})${afterChain}`, 'i'), id] as const,
)
const numbered = /\b(?:on |via |over |using )?(?:the )?chain(?: id)?[ :#=]*(\d{1,9})\b/i

/** The chain that a message names, by name or id, and the message without the phrase. */
export const takeChain = (message: string): Taken<number> => {
  const [phrase, id] = numbered.exec(message.slice(0, wishChars)) ?? []
  if (phrase && id) return { found: Number(id), rest: message.replace(phrase, ' ') }
  for (const [pattern, chainId] of chainPatterns) {
    const [words] = pattern.exec(message.slice(0, wishChars)) ?? []
    if (words) return { found: chainId, rest: message.replace(words, ' ') }
  }
  return { found: undefined, rest: message }
}

const categoryWords =
  /\b(?:in|from|of|under) (?:the |a )?(?:category|section)(?: of)? ["“']?([\p{L}\p{N}][\p{L}\p{N} &-]{1,38}?)["”']?(?=\s*(?:$|[.,;:!?\n]|\b(?:for|under|with|within|please|at|by)\b))|\bcategory[:=] ?["“']?([\p{L}\p{N}][\p{L}\p{N} &-]{1,38}?)["”']?(?=\s*(?:$|[.,;:!?\n]))/iu

/** The category that a message names explicitly, and the message without the phrase. */
export const takeCategory = (message: string): Taken<string> => {
  const [phrase, before, after] = categoryWords.exec(message.slice(0, wishChars)) ?? []
  return phrase ? { found: before ?? after, rest: message.replace(phrase, ' ') } : { found: undefined, rest: message }
}
