import { english, type PhraseKey } from './tables/english.ts'
import { tables } from './tables.ts'

// What may stand in place of a `{name}` of a sentence. The digit at the end of a name only tells two of a kind apart.

const word = '[^\\s()“”"]+'
const line = '[^\\n]{1,600}?'

/** A regular expression for each kind of slot. */
const slots: Record<string, string> = {
  n: '\\d+',
  amount: '[\\d.]+',
  digest: '[0-9a-f]{8}',
  clock: '\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC',
  wallet: '0x[0-9a-fA-F]{40}',
  hash: word,
  handle: word,
  agent: line,
  name: line,
  text: line,
  label: '[^\\n?:]{1,100}?',
  rest: '[^\\n]*',
  lines: '[\\s\\S]+',
  /** Lines up to an empty one. */
  block: '(?:[^\\n]|\\n(?!\\n))+',
  /** The ending of an English plural, which the other languages here do without. */
  s: 's?',
  wish: '\\w+(?: and \\w+)?',
  meanings: line,
  /** Slots below are sentences or parts of sentences of the table themselves. */
  span: '1 minute|\\d+ minutes|\\d+ hours \\(\\d+ minutes\\)',
  alive: 'online now|has never connected|last seen \\d+ \\w+ ago',
  gap: line,
  why: '[^\\n]*',
  checks: '[^\\n]*',
  record: '[^\\n]*',
  all: '(?:, and your message has all its inputs)?',
}

/** Slots whose value is said in the language of the sentence. */
const spoken: ReadonlySet<string> = new Set(['span', 'alive', 'gap', 'why', 'checks', 'record', 'all'])
/** Slots that another language may leave out. */
export const optional: ReadonlySet<string> = new Set(['s', 'wish', 'meanings'])

// Says the sentences of the butler in another language. Code writes them in English; a sentence that a table has is replaced, and
// every other text (names, values, deliverables) stays as it is.

/** Parts of sentences, which are no sentence of an answer by themselves. */
const parts: ReadonlySet<string> = new Set<PhraseKey>([
  ...(['minute', 'minutes', 'hours', 'online', 'never', 'seenMinutes', 'seenHours', 'seenDays'] as const),
  ...(['notEmpty', 'notInput', 'asSchema', 'has', 'tooDear', 'tooDearByUse', 'tooSlow', 'allInputs'] as const),
  ...(['noReputation', 'accepted', 'acceptedUsually'] as const),
])

const slot = /(\{[a-z]+\d?\})/
const toLiteral = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)

/** A template as a pattern with a named group for each slot. */
const toPattern = (template: string): string =>
  template
    .split(slot)
    .map((it, at) => {
      const [, name = '', digit = ''] = /^\{([a-z]+)(\d?)\}$/.exec(it) ?? []
      return at % 2 === 0 ? toLiteral(it) : `(?<${name}${digit}>${slots[name] ?? '[^\\n]+?'})`
    })
    .join('')

type Known = { key: PhraseKey; sentence: RegExp; whole: RegExp }

const literals = (template: string) =>
  template
    .split(slot)
    .filter((_, at) => at % 2 === 0)
    .join('').length
const isKey = (key: string): key is PhraseKey => Object.hasOwn(english, key)

let compiled: readonly Known[] | undefined
/** The English sentences, those with the most words of their own first. */
const known = (): readonly Known[] => {
  compiled ??= Object.entries(english)
    .sort(([, a], [, b]) => literals(b) - literals(a))
    .flatMap(([key, template]) => {
      const pattern = toPattern(template)
      const whole = new RegExp(`^(?:${pattern})$`, 'u')
      return isKey(key) ? [{ key, sentence: new RegExp(`${pattern}(?=\\s|$)`, 'yu'), whole }] : []
    })
  return compiled
}

type Found = { key: PhraseKey; groups: Record<string, string>; length: number }

const sentenceAt = (text: string, at: number): Found | undefined => {
  for (const { key, sentence } of known()) {
    if (parts.has(key)) continue
    sentence.lastIndex = at
    const found = sentence.exec(text)
    if (found) return { key, groups: found.groups ?? {}, length: found[0].length }
  }
  return undefined
}

type Table = Partial<Record<PhraseKey, string>>

const fill = (template: string, groups: Found['groups'], table: Table): string =>
  template.replace(/\{([a-z]+)(\d?)\}/g, (_, name: string, digit: string) => {
    const value = groups[name + digit] ?? ''
    return spoken.has(name)
      ? value
          .split('; ')
          .map(it => sayPart(it, table))
          .join('; ')
      : value
  })

/** Says a text that is one sentence or part of one. */
const sayPart = (text: string, table: Table): string => {
  for (const { key, whole } of known()) {
    const found = whole.exec(text)
    const template = table[key]
    if (found && template !== undefined) return fill(template, found.groups ?? {}, table)
  }
  return text
}

const unspaced: ReadonlySet<string> = new Set(['zh', 'ja'])
/** What stands between two sentences. */
export const gapIn = (language: string): string => (unspaced.has(language) ? '' : ' ')
/** Text up to the next place where a sentence may begin. */
const unknown = /[\s\S]*?(?:[.!?:…)”"](?=\s)|\n|$)/y
/** A text of more sentences is a stranger's, not the butler's. */
const maxUnknown = 100

/** `isWhole`: every word was said in that language, or there is nothing to say. */
type Said = { text: string; isWhole: boolean }

export const isSpoken = (language: string): boolean => tables[language]?.propose !== undefined

/**
 * Says a text of the service in another language, as far as its table has the sentences. Names, values and figures stand as they
 * were. @param language ISO 639 code; empty or `en` for English
 */
export const sayIn = (text: string, language: string): Said => {
  const table = tables[language]
  if (language === '' || language === 'en') return { text, isWhole: true }
  if (!table) return { text, isWhole: false }
  let [said, at, left] = ['', 0, 0]
  while (at < text.length) {
    const found = left > maxUnknown ? undefined : sentenceAt(text, at)
    const template = found && table[found.key]
    if (found && template !== undefined) {
      said += fill(template, found.groups, table)
      at += found.length
      continue
    }
    const rest = left > maxUnknown ? text.slice(at) : isBlank(text[at]) ? (text[at] ?? '') : nextOf(text, at)
    if (/\p{L}/u.test(rest)) left += 1
    // Sentences of Chinese and Japanese follow each other without a blank.
    if (rest !== ' ' || gapIn(language) !== '' || !/[。：！？]$/.test(said)) said += rest
    at += Math.max(1, rest.length)
  }
  return { text: said, isWhole: left === 0 }
}

const isBlank = (sign: string | undefined): boolean => sign !== undefined && /\s/.test(sign)
const nextOf = (text: string, at: number): string => {
  unknown.lastIndex = at
  return unknown.exec(text)?.[0] ?? text.slice(at)
}
