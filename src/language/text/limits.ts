import { dayMs, minuteMs } from '../../domain/durations.ts'
import { plainBy } from '../words/measures.ts'
import { numeral, toNumber } from '../words/numerals.ts'

// Limits of a hire, which are said beside its task: what it may cost and how long it may take.

/** Characters of a message that are searched for limits. Text after these is material. */
const limitChars = 4000

export type Taken<T> = { found: T | undefined; rest: string }
type Part = { from: number; to: number; said: string }
const toPart = ({ 0: said, index = 0 }: RegExpMatchArray): Part => ({ from: index, to: index + said.length, said })

const usd = String.raw`(?:us ?dollars?|usd|dollars?|bucks?)(?![\p{L}\p{N}])`
const usdc = String.raw`usdc(?![\p{L}\p{N}])`
const cents = String.raw`(?:us )?(?:cents?|ct)(?![\p{L}\p{N}])|¢`
/** Words before the most that is accepted. */
export const most = String.raw`(?:at (?:the )?(?:very )?most|at max(?:imum)?|(?:a )?max(?:imum|\.)?(?: of)?|(?:no|not) more than|more than|not over|no higher than|up to|under|below|less than|cheaper than|within|only|tops)`
const paying = String.raw`(?:(?:can|could|will|would|want to|like to|i(?:'ll)?|we(?:'ll)?)\s+(?:only |not )?(?:pay|spend)|pay(?:ing)?|spend(?:ing)?|(?:i|we)(?:['’]ve| have)(?: only)?(?: got)?|costs?|costing|budget|limit|price|reward)(?: (?:of|is|you|me|for (?:it|that|this)))?:?`
const lead = String.raw`(?:(?:max(?:imum|\.)? )?(?:${paying})\s+)?(?:(?:for|of|is|with|by)\s+)?(?:(?:an?|the|my|our)\s+)?(?:(?:${most})\s+)?(?:of |to |about |around )?`
const amount = String.raw`(?:(?<dollar>(?:us)?\$ ?(?<a>${numeral}))(?: ?(?:${usdc}))?|(?<b>${numeral}) ?(?<unit>${usdc}|${usd}|\$|${cents}))`
const money = new RegExp(
  String.raw`(?<![\p{L}\p{N}−-])${lead}${amount}(?:\s+(?:at (?:the )?most|max(?:imum)?|tops|or less))?`,
  'giu',
)
/** What ends an amount that has no noun behind it. */
const alone = String.raw`(?=\s*(?:$|[;:!?)\n]|[.,](?!\d)|(?:and|please|per|but|in total|altogether|together|overall|all in|for (?:all|both|everything)|on (?:all|both|everything))(?!\p{L})))`
const beside = String.raw`(?=\s*(?:$|[;:!?)\n]|[.,](?!\d)|(?:and|please|pls|per|but|for|on|if|as|then|thanks|in total|altogether|overall|to(?! \d))(?!\p{L})))`
/** A number without a currency is a price only after these words. */
const bare = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:(?:pay|spend|costs?|budget|price|reward)(?: (?:of|is|you))?:?\s+(?:${most}\s+)?|at (?:the )?(?:most|max(?:imum)?)\s+|(?:no|not) more than\s+)(?<a>${numeral})${alone}|(?:pay|spend)\s+${most}\s+(?<b>${numeral})${beside})`,
  'giu',
)
/** An amount below 1, as prices here are, and no number of anything. */
const small = String.raw`(?:0?\.\d{1,18}|0,\d{1,2})(?![\p{L}\p{N}])`
const capping = String.raw`(?:at (?:the )?(?:very )?most|at max(?:imum)?|max(?:imum|\.)?|(?:no|not|nothing) (?:more|higher) than|(?:not|nothing) (?:over|above)|not exceeding|up to|under|below|less than|cheaper than|limit|cap)(?: price)?(?: (?:of|is))?:?`
/** A small amount without a currency is a price behind words of a limit or before them: "keep it under 0.05", "0.05 is fine". */
const capped = new RegExp(
  String.raw`(?<![\p{L}\p{N}]|\d |(?:numbers?|values?|results?) )(?:(?:keep|stay)(?: (?:it|this|that|all|everything|(?:the )?(?:price|costs?)))? )?${capping}\s+(?<a>${small})${beside}|(?<![\p{L}\p{N}.,])(?<b>${small})\s+(?:at (?:the )?(?:very )?most|max(?:imum)?|tops|or less|in total|is (?:fine|ok(?:ay)?|enough|(?:the|my) (?:most|max(?:imum)?|limit|budget)))(?!\p{L})`,
  'giu',
)
/** A number that may be a limit: which of a price, or of something else, its words do not tell. */
const perhaps = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${most}\s+(?<a>${numeral})|for\s+(?<b>${small}))(?![\p{L}\p{N}])${beside}`,
  'giu',
)
const limiting = new RegExp(`(?:${paying})|${most}|^(?:for|with)\\s`, 'iu')
const ofPay = /pay|spend|cost|price|reward|budget/i

/** `isLed`: words of a limit precede the price. `isBare`: it has no currency. `isOfPay`: a word of paying precedes it. */
export type Price = Part & { usdc: string; unit: string; isLed: boolean; isBare: boolean; isOfPay: boolean }

const toUsdc = (said: string, unit: string): string => {
  const plain = said.replace(/^(\d+),(\d{1,2})$/, '$1.$2').replace(/^\./, '0.')
  // Digits are kept as they were said: a number has too few of them for an amount of a chain.
  if (/^\d{1,30}(?:\.\d{1,18})?$/.test(plain) && !/^(?:us )?(?:cent|ct|¢)/i.test(unit)) return plain
  return String(Number((toNumber(said) / (/^(?:us )?(?:cent|ct|¢)/i.test(unit) ? 100 : 1)).toPrecision(12)))
}

const isOver = (a: Part, b: Part) => a.from < b.to && b.from < a.to

/** Finds amounts in USDC, dollars and cents, numbers after words of paying, and small amounts beside words of a limit. */
export const findPrices = (text: string): Price[] => {
  const found: Price[] = []
  for (const pattern of [money, bare, capped])
    for (const it of text.matchAll(pattern)) {
      const { a, b, unit = '' } = it.groups ?? {}
      const [part, isBare] = [toPart(it), pattern !== money]
      if (found.some(one => isOver(one, part))) continue
      const isLed = isBare || limiting.test(part.said)
      found.push({ ...part, usdc: toUsdc(a ?? b ?? '', unit), unit, isLed, isBare, isOfPay: ofPay.test(part.said) })
    }
  return found
}

/** Numbers after words of a limit that are read as no price. */
export const findPerhapsPrices = (text: string): (Part & { usdc: string })[] => {
  const read = findPrices(text).filter(it => it.isLed)
  return [...text.matchAll(perhaps)].flatMap(it => {
    const part = toPart(it)
    return read.some(one => isOver(one, part)) ? [] : [{ ...part, usdc: toUsdc(it.groups?.a ?? it.groups?.b ?? '', '') }]
  })
}

const without = (text: string, parts: readonly Part[]): string =>
  parts.toSorted((a, b) => b.from - a.from).reduce((left, it) => `${left.slice(0, it.from)} ${left.slice(it.to)}`, text)

/** The lowest of some prices. */
export const leastOf = (prices: readonly Price[]): string | undefined =>
  prices.map(it => it.usdc).toSorted((a, b) => Number(a) - Number(b))[0]

/** The price limit of a message as decimal text, and the message without such phrases. */
export const takePrice = (message: string): Taken<string> => {
  const all = findPrices(message).filter(it => it.isLed)
  return { found: leastOf(all), rest: without(message, all) }
}

const unit = String.raw`(?:minutes?|mins?|hours?|hrs?|h|days?|weeks?)(?![\p{L}\p{N}])`
const span = `(?<n>half an?|a couple of|an?|${numeral}) ?(?<u>${unit})`
const late = `(?:at the (?:very )?latest|max(?:imum)?|at (?:the )?most|tops|or less|or sooner)`
const clock = String.raw`(?:noon|midnight|\d{1,2}(?::\d{2})? ?(?:[ap]\.?m\b\.?)?(?: o'clock)?)`
const weekdays = 'sunday|monday|tuesday|wednesday|thursday|friday|saturday'
const part = '(?:morning|afternoon|evening|night)'
const moment = String.raw`(?:tonight|this ${part}|(?:tomorrow|today)(?: (?:at )?${clock}| ${part})?|(?:the )?end of (?:the |this )?(?:day|week)|(?:next |this )?(?:${weekdays})(?: ${clock}| ${part})?|${clock}(?: (?:tomorrow|today))?)(?![\p{L}\p{N}]|[.,]\d| ?(?:m|cm|metres?|meters?|feet|ft|inch(?:es)?|x|by)(?!\p{L}))`

/** How a deadline is said. What the user accepts ("or in 15 min") counts first. A `loose` one may belong to a journey. */
type Manner = 'accepted' | 'within' | 'needed' | 'loose' | 'by'
const patterns = (
  [
    [
      'accepted',
      `(?:it |that )?(?:can|may|could) (?:take|wait)(?: up to| at most)?\\s+${span}|${span} (?:is|are|would be) (?:also |too )?(?:ok(?:ay)?|fine|enough|alright|all right|good)(?!\\p{L})|or in ${span}`,
    ],
    [
      'within',
      String.raw`(?:within|in (?:less than|under|at most|max(?:imum)?|no more than)|no later than(?: in)?|in the next)(?: the next)?\s+${span}`,
    ],
    [
      'needed',
      String.raw`for (?:less than|under|at most|no more than)\s+${span}|(?:in|for|takes?)?\s*${span},?\s+${late}|(?<=(?:must|needs?|needed|want|done|ready|finished|delivered|back|here|it|this|that|have)\s)in ${span}`,
    ],
    // A span in days may be a travel date.
    [
      'loose',
      String.raw`in (?<n>${numeral}|an?) ?(?<u>(?:minutes?|mins?|hours?|hrs?|h))(?![\p{L}\p{N}])(?=\s*(?:$|[,.;!?]|please|pls|thanks|for ))`,
    ],
    ['by', String.raw`(?:(?<!\d\s?\p{L}{0,12}\s)${plainBy}|(?<!not )before|until|no later than) ${moment}`],
  ] satisfies [Manner, string][]
).map(
  ([manner, source]) =>
    [
      manner,
      new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${source.replaceAll('(?<n>', '(').replaceAll('(?<u>', '(')})`, 'giu'),
    ] as const,
)

export type Deadline = Part & { manner: Manner }

/** Finds the deadlines of a text, in the order of their manner. */
export const findDeadlines = (text: string): Deadline[] =>
  patterns.flatMap(([manner, pattern]) => [...text.matchAll(pattern)].map(it => ({ ...toPart(it), manner })))

/** The deadline phrase of a message, as written, and the message without it. */
export const takeDeadline = (message: string): Taken<string> => {
  const found = findDeadlines(message.slice(0, limitChars)).find(it => it.manner !== 'loose')
  return { found: found?.said, rest: found ? without(message, [found]) : message }
}

const minutesByUnit: Record<string, number> = { m: 1, h: 60, d: 24 * 60, w: 7 * 24 * 60 }
const counted = new RegExp(span, 'iu')
const spanMinutes = (words: string): number | undefined => {
  const { n = '', u = '' } = counted.exec(words)?.groups ?? {}
  if (u === '') return undefined
  const many = /^half/i.test(n) ? 0.5 : /^a couple/i.test(n) ? 2 : /^an?$/i.test(n) ? 1 : toNumber(n)
  return Math.round(many * (minutesByUnit[u.charAt(0).toLowerCase()] ?? 1))
}

const hoursByPart: Record<string, number> = { morning: 12, afternoon: 18, evening: 21, night: 24 }
/** Minutes after midnight of a clock time; the end of the day without one. */
const clockMinutes = (words: string): number => {
  if (/noon\b(?<!afternoon)/i.test(words)) return 12 * 60
  const [, hours, minutes = '0', half = ''] = /\b(\d{1,2})(?::(\d{2}))? ?([ap])?\.?(?:m\b)?/i.exec(words) ?? []
  if (hours !== undefined)
    return (Number(hours) % (half ? 12 : 24)) * 60 + Number(minutes) + (half.toLowerCase() === 'p' ? 12 * 60 : 0)
  const said = Object.keys(hoursByPart).find(it => words.toLowerCase().includes(it))
  return (said ? (hoursByPart[said] ?? 24) : 24) * 60
}

const daysAhead = (words: string, today: number): number => {
  if (/tomorrow/i.test(words)) return 1
  const day = weekdays.split('|').findIndex(it => words.toLowerCase().includes(it))
  if (day >= 0) return (day - today + 7) % 7 || 7
  return /end of (?:the |this )?week/i.test(words) ? (7 - today) % 7 : 0
}

const by = new RegExp(String.raw`(?<![\p{L}\p{N}])(?:by|before|until|no later than) ${moment}`, 'iu')
/**
 * Minutes from `now`, the wall clock as epoch ms, to a deadline. A clock time that has passed means tomorrow. Undefined when
 * the words cannot be parsed.
 */
export const toMinutes = (deadline: string, now: number): number | undefined => {
  const minutes = spanMinutes(deadline)
  if (minutes !== undefined) return minutes
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
  const [phrase, id] = numbered.exec(message.slice(0, limitChars)) ?? []
  if (phrase && id) return { found: Number(id), rest: message.replace(phrase, ' ') }
  for (const [pattern, chainId] of chainPatterns) {
    const [words] = pattern.exec(message.slice(0, limitChars)) ?? []
    if (words) return { found: chainId, rest: message.replace(words, ' ') }
  }
  return { found: undefined, rest: message }
}

const categoryWords =
  /\b(?:in|from|of|under) (?:the |a )?(?:category|section)(?: of)? ["“']?([\p{L}\p{N}][\p{L}\p{N} &-]{1,38}?)["”']?(?=\s*(?:$|[.,;:!?\n]|\b(?:for|under|with|within|please|at|by)\b))|\bcategory[:=] ?["“']?([\p{L}\p{N}][\p{L}\p{N} &-]{1,38}?)["”']?(?=\s*(?:$|[.,;:!?\n]))/iu

/** The category that a message names explicitly, and the message without the phrase. */
export const takeCategory = (message: string): Taken<string> => {
  const [phrase, before, after] = categoryWords.exec(message.slice(0, limitChars)) ?? []
  return phrase ? { found: before ?? after, rest: message.replace(phrase, ' ') } : { found: undefined, rest: message }
}
